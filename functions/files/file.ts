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

/** The largest body with files, in bytes: in base64, Lambda takes no more. */
export const maxUploadBytes = 4_400_000;

/** A file that is about to be stored. */
export interface NewFile extends ContactFile {
  readonly content: Buffer;
  /** Hexadecimal. */
  readonly sha256: string;
}

export const contactFiles = v.pipe(v.array(contactFile), v.readonly());

/** `files` is stored as JSON text, in the order in which they were sent. */
export const storedFiles = v.pipe(v.string(), v.parseJson(), contactFiles);

/** What get-contact reads from variables, besides what all functions for staff do. */
export const scanSettings = v.object({
  /** New files are scanned. Absent: the environment has no files. */
  scan: v.optional(v.boolean()),
});

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
