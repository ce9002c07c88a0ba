import { absentId } from './client.ts';

/** What is no UUID, percent-encoded as a path segment. */
export const junkIds = [
  'nonsense',
  '1',
  '-',
  '__proto__',
  'constructor',
  absentId.replaceAll('-', ''),
  `${absentId}0`,
  `%7B${absentId}%7D`,
  `${absentId}%0A`,
  `%20${absentId}`,
  `${absentId}%2F`,
  `${absentId}%00`,
  '%00',
  '%2F',
  '..%2F..%2Fetc%2Fpasswd',
  '%25',
  '%C3%BCn%C3%AFc%C3%B6d%C3%A9',
  '%F0%9F%92%A9',
  '%EF%BC%90'.repeat(32),
  'x'.repeat(1000),
];
