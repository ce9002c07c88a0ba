import type { S3Client } from '@aws-sdk/client-s3';

/** Where the files of an environment's contact requests are. */
export interface FilesBucket {
  readonly name: string;
  /** Whether a service runs that deletes the files of deleted contact requests. */
  readonly isServed: boolean;
  /** Always the same client, loaded when needed: most commands read no file. */
  readonly client: () => Promise<S3Client>;
}

/**
 * The bucket in a stack's outputs; undefined if its settings have no `files`.
 * @param make makes the client. Whoever calls this has to end it.
 */
export const filesBucketIn = (
  { FilesBucket: name }: Readonly<Record<string, string | undefined>>,
  isServed: boolean,
  make: (Client: typeof S3Client, name: string) => S3Client | Promise<S3Client>,
): FilesBucket | undefined => {
  let client: Promise<S3Client> | undefined;
  if (name === undefined) return undefined;
  const load = async () => make((await import('@aws-sdk/client-s3')).S3Client, name);
  return { name, isServed, client: () => (client ??= load()) };
};
