/**
 * What is known of a file's contents: `pending` until it is scanned, `unknown` if it is not, because the scan is off or cannot
 * read the file, or the file is gone.
 */
export const fileStates = ['clean', 'infected', 'pending', 'unknown'] as const;

export type FileState = (typeof fileStates)[number];

/** https://docs.aws.amazon.com/guardduty/latest/ug/monitor-with-eventbridge-s3-malware-protection.html */
const results = new Map<string | undefined, FileState>([
  ['NO_THREATS_FOUND', 'clean'],
  ['THREATS_FOUND', 'infected'],
]);

/**
 * @param tag the value of the object's tag `filesBucket.scanTag`, if it has one
 * @param scans whether the environment scans its files
 */
export const fileStateOf = (tag: string | undefined, scans: boolean): FileState =>
  results.get(tag) ?? (tag === undefined && scans ? 'pending' : 'unknown');
