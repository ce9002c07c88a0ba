import type { Target } from './notifications.ts';

/** What may stand in a path for everybody to read: whoever knows the URL of a Slack channel may write to it. */
const isWord = (part: string) => /^([a-z][a-z_-]{0,19}|v\d)$/.test(part);

/** A target's address as it may stand on a screen and in the log of a CI job: of a URL nothing that could be secret. */
export const shownAddress = ({ kind, address }: Target): string => {
  if (kind === 'email' || !URL.canParse(address)) return address;
  const { origin, pathname, search } = new URL(address);
  const parts = pathname.split('/').filter((part) => part !== '');
  const firstSecret = parts.findIndex((part) => !isWord(part));
  const isWhole = firstSecret === -1 && search === '';
  const shown = [origin, ...(firstSecret === -1 ? parts : parts.slice(0, firstSecret)), ...(isWhole ? [] : ['…'])];
  return shown.join('/');
};
