import * as v from 'valibot';

/** A file that came with a contact request, as staff see it. */
export const contactFile = v.object({
  /** What the visitor's device called it, cleaned. It is shown, and never part of a key. */
  name: v.string(),
  /** The media type, by its content. */
  type: v.string(),
  /** Bytes. */
  size: v.number(),
});

export type ContactFile = Readonly<v.InferOutput<typeof contactFile>>;

export const contactFiles = v.pipe(v.array(contactFile), v.readonly());

/** `files` is stored as JSON text, in the order in which they were sent. */
export const storedFiles = v.pipe(v.string(), v.parseJson(), contactFiles);

/** The bucket of an environment's files. */
export const filesBucket = {
  /** The environment variable that tells a function the bucket's name. */
  variable: 'FILES_BUCKET',
  /** The objects of a contact request stand below this prefix. */
  prefixOf: (contactId: string) => `${contactId}/`,
  /**
   * The key of a file.
   * @param upload a random text for each request that stores files, so that none writes over another's files
   * @param index of the file in `files`
   */
  keyOf: (contactId: string, upload: string, index: number) => `${contactId}/${upload}/${index}`,
  /** https://docs.aws.amazon.com/guardduty/latest/ug/enable-malware-protection-s3-bucket.html */
  scanTag: 'GuardDutyMalwareScanStatus',
} as const;
