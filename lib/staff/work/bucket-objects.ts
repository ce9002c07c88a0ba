import type { S3Client } from '@aws-sdk/client-s3';
import { filesBucket } from '../../../functions/files/file.ts';
import { type FileState, fileStateOf } from '../../../functions/files/state.ts';
import type { FilesBucket } from '../environment/files-bucket.ts';

/** An object of a bucket. */
export interface StoredObject {
  readonly key: string;
  /** Bytes. */
  readonly size: number;
}

/** A file's contents, with what the service has stored beside them. */
export interface StoredFile {
  readonly bytes: Uint8Array;
  readonly type: string | undefined;
  readonly disposition: string | undefined;
}

/** Who may not list the bucket gets `AccessDenied` instead. */
const isMissing = (error: unknown) => error instanceof Error && /^(NoSuchKey|NotFound)$/.test(error.name);

/** The objects in a bucket, as far as commands use them. The SDK is loaded when the first is. */
export const bucketObjects = ({ name: Bucket, client }: FilesBucket) => {
  const load = () => Promise.all([import('@aws-sdk/client-s3'), client()]);
  const call = async <Output>(act: (sdk: typeof import('@aws-sdk/client-s3'), s3: S3Client) => Promise<Output>) =>
    act(...(await load()));

  return {
    /** All objects whose keys begin with the prefix. A contact request has few: they fit into one response. */
    list: (prefix: string): Promise<readonly StoredObject[]> =>
      call(async ({ ListObjectsV2Command }, s3) => {
        const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket, Prefix: prefix }));
        return Contents.map(({ Key: key = '', Size: size = 0 }) => ({ key, size }));
      }),

    /** @param scans whether the environment scans its files */
    stateOf: (key: string, scans: boolean): Promise<FileState> =>
      call(async ({ GetObjectTaggingCommand }, s3) => {
        try {
          const { TagSet = [] } = await s3.send(new GetObjectTaggingCommand({ Bucket, Key: key }));
          return fileStateOf(TagSet.find((tag) => tag.Key === filesBucket.scanTag)?.Value ?? '', scans);
        } catch (error) {
          if (isMissing(error)) return 'unknown';
          throw error;
        }
      }),

    /**
     * The bucket's policy refuses what is infected, or not scanned yet.
     * @returns undefined if there is no such object
     */
    get: (key: string): Promise<StoredFile | undefined> =>
      call(async ({ GetObjectCommand }, s3) => {
        try {
          const { Body, ContentType, ContentDisposition } = await s3.send(new GetObjectCommand({ Bucket, Key: key }));
          const bytes = (await Body?.transformToByteArray()) ?? new Uint8Array();
          return { bytes, type: ContentType, disposition: ContentDisposition };
        } catch (error) {
          if (isMissing(error)) return undefined;
          throw error;
        }
      }),

    put: (key: string, { bytes, type, disposition }: StoredFile): Promise<void> =>
      call(async ({ PutObjectCommand }, s3) => {
        const stored = { Body: bytes, ContentType: type, ContentDisposition: disposition };
        await s3.send(new PutObjectCommand({ Bucket, Key: key, ...stored }));
      }),
  };
};
