import * as v from 'valibot';
import { permissions } from '../../infrastructure/endpoints.ts';
import { duration, explained, listOf, shownAs } from '../command-line/arguments.ts';

/** A token's name: trimmed, in Unicode's form NFC, 1 to 100 characters on one line. */
export const tokenName = explained(
  'The name of the token: 1 to 100 characters.',
  v.pipe(
    v.string(),
    v.transform((name) => name.trim().normalize('NFC')),
    v.check((name) => name !== '', 'A token needs a name.'),
    v.check((name) => [...name].length <= 100, 'A token name has 100 characters at most.'),
    v.check((name) => name.isWellFormed() && !/\p{Cc}/u.test(name), 'A token name is one line of text.'),
  ),
);

const choices = `${permissions.join(', ')}, separated by commas, or all`;

/** Permissions separated by commas, or `all`. */
export const permissionList = explained(
  `What the token may do: ${choices}.`,
  listOf(
    [...permissions, 'all'],
    shownAs(
      '<permission,…|all>',
      v.pipe(
        v.string(),
        v.transform((text) =>
          text === 'all' ? [...permissions] : [...new Set(text.split(',').map((name) => name.trim()))],
        ),
        v.array(v.picklist(permissions, ({ input }) => `Unknown permission "${input}": choose from ${choices}.`)),
      ),
    ),
  ),
);

const none = v.pipe(
  v.picklist(['0h', '0d']),
  v.transform(() => 0),
);

/** How long a token goes on working beside the one that takes its place; parsed to milliseconds. */
export const grace = explained(
  'How long the token before goes on working, such as 12h, 7d or 2w; 0h for not at all.',
  shownAs(
    '24h',
    v.optional(
      v.union([none, duration], 'Use whole minutes, hours, days or weeks, such as 30m, 12h, 7d or 2w, or 0h for none.'),
      '24h',
    ),
  ),
);
