import assert from 'node:assert/strict';
import { stripVTControlCharacters } from 'node:util';
import { type Permission, permissions } from '../acceptance/settings.ts';
import { CommandError, run as runCommand } from '../support/command.ts';
import type { Cast } from './steps.ts';

/** A deployed environment, as the acceptance suite knows it. */
interface Target {
  readonly baseUrl: string;
  /** With every permission. */
  readonly token: string;
  /** With one permission each. */
  readonly limitedTokens?: Readonly<Partial<Record<Permission, string>>>;
}

export const issueLimitedTokens = async (
  { operator }: Cast,
  environment: string,
): Promise<NonNullable<Target['limitedTokens']>> => {
  const tokens: [string, string][] = [];
  for (const permission of permissions) tokens.push([permission, await operator.issueToken(environment, permission)]);
  return Object.fromEntries(tokens);
};

/** The tests that failed, with their errors: what vitest prints besides can be long. */
const failuresIn = (printed: string) =>
  stripVTControlCharacters(printed)
    .split('\n')
    .filter((line) => /^\s*(?:FAIL |\w*Error:)/.test(line));

/** @throws {CommandError} which names the tests that failed */
const run = async (
  { cloud, signal }: Cast,
  { baseUrl, token, limitedTokens = {} }: Target,
  files: readonly string[],
): Promise<string> => {
  const running = runCommand('npm', ['run', 'test:acceptance', '--', ...files], {
    env: {
      ...cloud.env,
      BASE_URL: baseUrl,
      STAFF_TOKEN: token,
      LIMITED_TOKENS: Object.entries(limitedTokens)
        .map((pair) => pair.join('='))
        .join(),
      LACKS: Object.keys(cloud.lacks).join(),
    },
    signal,
    shown: files.length === 0,
  });
  const printed = await running.catch((error: unknown) => {
    const failures = error instanceof CommandError ? failuresIn(error.output) : [];
    throw failures.length > 0 ? new CommandError(failures.join('\n')) : error;
  });
  return stripVTControlCharacters(printed);
};

const passedIn = (printed: string): string => {
  const [, passed] = /Tests .*?(\d+) passed/.exec(printed) ?? [];
  assert.ok(passed, 'No test was run');
  return passed;
};

/** Runs the whole suite, and notes which tests the cloud cannot pass. */
export const testAcceptance = async (cast: Cast, target: Target): Promise<void> => {
  const printed = await run(cast, target, []);
  cast.steps.say(`${passedIn(printed)} tests of the acceptance suite pass`);
  for (const [capability, why] of Object.entries(cast.cloud.lacks)) {
    const [, count] = new RegExp(`lacks ${capability}: (.*)$`, 'm').exec(printed) ?? [];
    assert.ok(count, `No test was skipped for ${capability}: is it lacking?`);
    cast.steps.notShown(`${count} of the acceptance suite (${capability}): ${why}`);
  }
};

/** Runs what API Gateway decides before the service's code runs, which differs with several sites. */
export const testGateway = async (cast: Cast, target: Target): Promise<void> => {
  cast.steps.say(`${passedIn(await run(cast, target, ['real-gateway']))} tests of the acceptance suite pass`);
};

/** Runs the files of the suite that pass with any settings, in a few seconds. */
export const testBriefly = async (cast: Cast, target: Target): Promise<void> => {
  const files = ['create-contact', 'contact-by-id', 'contact-csv', 'campaigns', 'not-found'];
  const printed = await run(cast, target, files);
  cast.steps.say(`${passedIn(printed)} tests of the acceptance suite pass`);
};
