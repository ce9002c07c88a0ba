import type { Node } from 'constructs';
import * as v from 'valibot';
import { SettingsError } from '../../settings-error.ts';

/** `-c confirm=prod.retainData,prod.region` on the command line of `cdk`. */
const confirmation = v.pipe(
  v.optional(v.string(), ''),
  v.transform((text) => text.split(',').flatMap((name) => name.trim() || [])),
);

/**
 * What the operator has confirmed.
 * @param names what can be confirmed at all: again what is done already, so that the same command can be repeated
 * @param refused what would be refused now
 * @throws {SettingsError} for any other name
 */
export const confirmedIn = (node: Node, names: readonly string[], refused: readonly string[]): ReadonlySet<string> => {
  const confirmed = v.parse(confirmation, node.tryGetContext('confirm'));
  const unknown = confirmed.filter((name) => !names.includes(name));
  if (unknown.length > 0) {
    const now = refused.length > 0 ? refused.join(', ') : 'nothing';
    throw new SettingsError(
      `-c confirm=${unknown.join(',')}: there is no such thing to confirm. To be confirmed now: ${now}`,
    );
  }
  return new Set(confirmed);
};
