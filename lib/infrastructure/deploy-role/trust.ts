import type { Node } from 'constructs';
import * as v from 'valibot';
import { SettingsError } from '../../settings-error.ts';

const name = (pattern: RegExp, form: string) => v.pipe(v.string(form), v.regex(pattern, form));

const context = v.object({
  repository: name(/^[\w.-]+\/[\w.-]+$/, 'must be the repository that deploys, as <owner>/<name>'),
  environment: name(/^[a-z][a-z0-9-]{0,29}$/, 'must be the environment that is deployed, as "prod"'),
  branch: v.optional(name(/^[\w./-]+$/, 'must be the name of a branch, as "main"')),
  provider: v.optional(v.literal('existing', 'must be "existing", or left out')),
});

/** Whom the roles trust. */
export interface Trust {
  /** On GitHub, as `<owner>/<name>`. */
  readonly repository: string;
  /** Of this service, and of the same name on GitHub. */
  readonly environment: string;
  /** Trusted in the place of the environment of GitHub. */
  readonly branch?: string | undefined;
  /** Whether the account knows GitHub's tokens already. */
  readonly providerExists: boolean;
}

/**
 * What the command line of `cdk` says, as `-c repository=acme/contact -c environment=prod`.
 * @throws {SettingsError} a line for each mistake
 */
export const trustIn = (node: Node): Trust => {
  const given = Object.fromEntries(Object.keys(context.entries).map((key) => [key, node.tryGetContext(key)]));
  const result = v.safeParse(context, given);
  if (!result.success) {
    throw new SettingsError(result.issues.map((issue) => `-c ${v.getDotPath(issue)}: ${issue.message}`).join('\n'));
  }
  const { provider, ...trust } = result.output;
  return { ...trust, providerExists: provider === 'existing' };
};
