import { DeleteObjectsCommand, ListObjectsV2Command, type S3Client } from '@aws-sdk/client-s3';

export interface StoredObject {
  readonly key: string;
  /** When it was put. */
  readonly putAt: Date;
}

/** The objects of a bucket. */
export interface ObjectStore {
  /** The objects below a prefix by pages, in the order of their keys. @param prefix all begin with `''` */
  list(prefix: string): AsyncIterable<readonly StoredObject[]>;
  /** Deletes objects; those that are gone already count as deleted. @throws {Error} if any remains */
  delete(keys: readonly string[]): Promise<void>;
}

/** Keys in one call, at most: https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteObjects.html */
const keysOfCall = 1_000;

/** The objects in S3. */
export const objectStore = (client: S3Client, bucket: string): ObjectStore => ({
  async *list(prefix) {
    let token: string | undefined;
    do {
      const page = await client.send(
        new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ContinuationToken: token }),
      );
      yield (page.Contents ?? []).flatMap(({ Key: key, LastModified: putAt }) =>
        key !== undefined && putAt ? { key, putAt } : [],
      );
      token = page.NextContinuationToken;
    } while (token !== undefined);
  },

  async delete(keys) {
    for (let start = 0; start < keys.length; start += keysOfCall) {
      const objects = keys.slice(start, start + keysOfCall).map((Key) => ({ Key }));
      const { Errors: errors = [] } = await client.send(
        new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects: objects, Quiet: true } }),
      );
      const [first] = errors;
      if (first) throw new Error(`S3 left ${errors.length} of ${objects.length} objects: ${first.Code}`);
    }
  },
});
