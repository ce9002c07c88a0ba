import { describeFailure } from '../command-line/failure.ts';
import { printJson } from '../command-line/json.ts';
import { print } from '../command-line/output.ts';
import { withProgress } from '../command-line/progress.ts';
import { StaffError } from '../command-line/staff-error.ts';
import { count, printable } from '../command-line/text.ts';
import type { DeploymentStaff } from '../context.ts';
import { type Check, type Finding, wrong } from './check.ts';
import { checks } from './checks.ts';

const defaultPatience = 30_000;

const policy = 'docs/operation.md, "Look after it", has what the doctor has to be allowed.';

const isDenied = ({ name, message }: Error) =>
  /^(AccessDenied|AuthorizationError|NotAuthorized|UnauthorizedOperation)/.test(name) ||
  /not authorized to perform/i.test(message);

/** What a check could not look at. */
const notMade = ({ name, actions }: Check, error: unknown): Finding => {
  if (error instanceof StaffError)
    return wrong(`The check of ${name} could not be made: ${error.message}`, 'Try it again.');
  if (error instanceof Error && isDenied(error)) {
    const [, action = actions.join(', ')] = /perform: ([\w-]+:\w+)/.exec(error.message) ?? [];
    return wrong(`The check of ${name} could not be made: these AWS credentials may not ${action}.`, policy);
  }
  return wrong(`The check of ${name} could not be made: ${describeFailure(error)}`, 'Try it again.');
};

/** Makes a check, for as long as it may take. */
const make = async (check: Check, { deployment, ...staff }: DeploymentStaff): Promise<readonly Finding[]> => {
  const patience = check.patience ?? defaultPatience;
  const over = new AbortController();
  const signal = AbortSignal.any([staff.signal, over.signal]);
  const timer = setTimeout(() => over.abort(new StaffError(`it took more than ${patience / 1000} seconds.`)), patience);
  const wait = async (milliseconds: number) => {
    signal.throwIfAborted();
    await staff.wait(milliseconds, signal);
  };
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  try {
    return await Promise.race([check.look(deployment, wait), late]);
  } catch (error) {
    staff.signal.throwIfAborted();
    return [notMade(check, error)];
  } finally {
    clearTimeout(timer);
    over.abort();
  }
};

/** What is wrong first, the notes behind it. */
const bySeverity = (findings: readonly (Finding & { readonly check: string })[]) =>
  (['wrong', 'note'] as const).flatMap((severity) => findings.filter((finding) => finding.severity === severity));

/**
 * Makes every check, side by side, and prints what they found.
 * @throws {StaffError} when something is wrong
 */
export const examine = async (staff: DeploymentStaff, { json }: { readonly json: boolean }): Promise<void> => {
  const found = await withProgress(staff, ['check', 'made'], async (report) => {
    let made = 0;
    const all = checks.map(async (check) => {
      const findings = await make(check, staff);
      made += 1;
      report(made);
      return findings.map((finding) => ({ check: check.name, ...finding }));
    });
    return bySeverity((await Promise.all(all)).flat());
  });
  const wrongs = found.filter(({ severity }) => severity === 'wrong').length;
  if (json) await printJson(staff, { environment: staff.environment, checks: checks.length, findings: found });
  else {
    const lines = found.map(
      ({ severity, what, remedy }) => `${severity}: ${printable(what)}\n  ${printable(remedy)}\n`,
    );
    if (wrongs === 0) lines.unshift(`Nothing is wrong: ${count(checks.length, 'check')}.\n`);
    await print(staff, lines);
  }
  if (wrongs > 0) throw new StaffError(`${count(wrongs, 'thing')} ${wrongs === 1 ? 'is' : 'are'} wrong.`);
};
