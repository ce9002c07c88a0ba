import type { S3Client, S3ClientConfig } from '@aws-sdk/client-s3';

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
  make: (Client: new (options: S3ClientConfig) => S3Client) => S3Client | Promise<S3Client>,
): FilesBucket | undefined => {
  let client: Promise<S3Client> | undefined;
  const load = async () => {
    const { S3Client } = await import('@aws-sdk/client-s3');
    // Only AWS itself has a host name for each bucket.
    const forcePathStyle = [process.env['AWS_ENDPOINT_URL_S3'], process.env['AWS_ENDPOINT_URL']].some(Boolean);
    class Client extends S3Client {
      constructor(options: S3ClientConfig) {
        super({ forcePathStyle, ...options });
      }
    }
    return make(Client);
  };
  return name === undefined ? undefined : { name, isServed, client: () => (client ??= load()) };
};
