/**
 * What a scanner said of a file. `pending`: it will say it. `unknown`: it could not, nothing scans, or the file is gone. Nobody may
 * get what is infected or pending: the bucket's policy refuses it, too.
 */
export type FileState = 'clean' | 'infected' | 'pending' | 'unknown';

/** https://docs.aws.amazon.com/guardduty/latest/ug/monitor-enable-s3-object-tagging-malware-protection.html */
const states: Readonly<Record<string, FileState>> = { NO_THREATS_FOUND: 'clean', THREATS_FOUND: 'infected' };

/**
 * @param tag the value of the object's tag `filesBucket.scanTag`; an empty text if it has none
 * @param scans whether new files are scanned
 */
export const fileStateOf = (tag: string, scans: boolean): FileState =>
  states[tag] ?? (tag === '' && scans ? 'pending' : 'unknown');
