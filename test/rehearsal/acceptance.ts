import assert from 'node:assert/strict';
import { type Permission, permissions } from '../acceptance/settings.ts';
import { run } from './command.ts';
import { lackedCapabilities } from './lacks.ts';
import type { Cast } from './steps.ts';

/** A deployed environment, as the acceptance suite knows it. */
export interface Target {
  readonly baseUrl: string;
  /** With every permission. */
  readonly token: string;
  /** With one permission each. */
  readonly limitedTokens: Readonly<Record<Permission, string>>;
}

/** The suite reads campaigns, which staff keep. */
export const addCampaigns = async ({ operator }: Cast, environment: string): Promise<void> => {
  for (const name of ['Newsletter', 'Spring offers', 'Trade fair']) {
    await operator.staff('campaigns', 'add', name, '--env', environment);
  }
};

export const issueLimitedTokens = async (
  { operator }: Cast,
  environment: string,
): Promise<Record<Permission, string>> => ({
  'contacts:read': await operator.issueToken(environment, 'contacts:read'),
  'contacts:delete': await operator.issueToken(environment, 'contacts:delete'),
  'campaigns:read': await operator.issueToken(environment, 'campaigns:read'),
});

/** Runs the whole suite, and notes what of it the emulator cannot pass. */
export const testAcceptance = async (
  { emulator, steps, signal }: Cast,
  { baseUrl, token, limitedTokens }: Target,
): Promise<void> => {
  const printed = await run('npm', ['run', 'test:acceptance'], {
    env: {
      ...emulator.env,
      BASE_URL: baseUrl,
      STAFF_TOKEN: token,
      LIMITED_TOKENS: permissions.map((permission) => `${permission}=${limitedTokens[permission]}`).join(),
      LACKS: Object.keys(lackedCapabilities).join(),
    },
    signal,
    shown: true,
  });
  for (const [capability, why] of Object.entries(lackedCapabilities)) {
    const [, count] = new RegExp(`lacks ${capability}: (.*)$`, 'm').exec(printed) ?? [];
    assert.ok(count, `No test was skipped for ${capability}: does the emulator lack it?`);
    steps.notShown(`${count} of the acceptance suite (${capability}): ${why}`);
  }
};
