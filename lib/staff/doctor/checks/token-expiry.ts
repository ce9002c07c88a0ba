import { isExpired } from '../../../../functions/tokens/token.ts';
import { type Check, type Finding, note, wrong } from '../check.ts';
import { quoted, readTokens } from '../tokens.ts';

const day = 24 * 60 * 60 * 1000;

/** As much notice as somebody needs who is away when it comes. */
const notice = 14;

/** Whether a token ends soon that has no other of its name to take its place. */
export const tokenExpiry: Check = {
  name: 'token expiry',
  actions: ['dynamodb:Query'],
  look: async (deployment) => {
    const now = deployment.now();
    const soon = new Date(now.getTime() + notice * day);
    const { tokens, unreadable } = await readTokens(deployment);
    const endsLater = (name: string) => tokens.some((token) => token.name === name && !isExpired(token, soon));
    const ending = tokens.filter((token) => isExpired(token, soon) && !endsLater(token.name));
    const findings = ending.map((token): Finding => {
      const { name, expiresAt = '' } = token;
      if (isExpired(token, now)) {
        return note(
          `The token "${name}" has expired, ${expiresAt}.`,
          `${deployment.crcs(`tokens rotate ${quoted(name)}`)}, or ${deployment.crcs(`tokens revoke ${quoted(name)}`)}`,
        );
      }
      return wrong(`The token "${name}" expires ${expiresAt}.`, deployment.crcs(`tokens rotate ${quoted(name)}`));
    });
    return [
      ...findings,
      ...unreadable.map((name) => wrong(`The token "${name}" cannot be read.`, 'docs/runbook.md#unreadable-items')),
    ];
  },
};
