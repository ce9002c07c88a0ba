import { randomUUID } from 'node:crypto';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { onTestFinished } from 'vitest';
import { contactsTable } from '../../functions/contacts/contacts-table.ts';
import { type ContactFile, filesBucket } from '../../functions/files/file.ts';
import { createS3, S3Error, toS3ErrorResponse } from '../../lib/local/host/aws/buckets.ts';
import { openObjects } from '../../lib/local/host/aws/objects.ts';
import { systemClock } from '../../lib/local/host/clock.ts';
import { serve } from './server.ts';
import { client } from './tables.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A file of a visitor, with its contents. */
export interface SentFile extends ContactFile {
  readonly content: string;
}

export const sentFile = (name: string, content: string, type = 'application/pdf'): SentFile => ({
  name,
  type,
  size: Buffer.byteLength(content),
  content,
});

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/using-with-s3-policy-actions.html */
const actionOf = (method: string, parameters: URLSearchParams): string => {
  if (parameters.has('list-type')) return 's3:ListBucket';
  const subject = parameters.has('tagging') ? 'ObjectTagging' : 'Object';
  return `s3:${method.charAt(0)}${method.slice(1).toLowerCase()}${subject}`;
};

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetPublicAccessBlock.html */
const isPrivate = `<PublicAccessBlockConfiguration>${[
  'BlockPublicAcls',
  'BlockPublicPolicy',
  'IgnorePublicAcls',
  'RestrictPublicBuckets',
]
  .map((name) => `<${name}>true</${name}>`)
  .join('')}</PublicAccessBlockConfiguration>`;

/**
 * Buckets in a fake S3 for the SDK's real clients, which the local host's S3 serves. A scanner's tags are added here, and the
 * infected objects refused, as the bucket's policy does.
 * @param names of the buckets
 */
export const startBuckets = async (...names: readonly string[]) => {
  const buckets = new Map(
    await Promise.all(names.map(async (name) => [name, await openObjects(temporaryFolder(), systemClock)] as const)),
  );
  const s3 = createS3(buckets, () => {});
  /** Results of scans, by key. */
  const tags = new Map<string, string>();
  /** The actions of IAM that were called. */
  const asked: string[] = [];
  const server = await serve(async ({ method = '', url = '', headers }, response, body) => {
    const [path = '', query] = url.split('?');
    const key = decodeURIComponent(path.split('/').slice(2).join('/'));
    const parameters = new URLSearchParams(query);
    asked.push(actionOf(method, parameters));
    if (parameters.has('publicAccessBlock')) return void response.end(isPrivate);
    const found = await s3({ method, path, query: parameters, headers, body });
    const tag = tags.get(key);
    const tagged =
      tag && `<Tagging><TagSet><Tag><Key>${filesBucket.scanTag}</Key><Value>${tag}</Value></Tag></TagSet></Tagging>`;
    const isRefused = method === 'GET' && tag === 'THREATS_FOUND';
    const sent =
      parameters.has('tagging') && tagged && found.status === 200
        ? { ...found, body: tagged }
        : isRefused
          ? toS3ErrorResponse(new S3Error(403, 'AccessDenied', 'Access Denied'))
          : found;
    response.writeHead(sent.status, { ...sent.headers }).end(sent.body);
  });
  onTestFinished(server[Symbol.asyncDispose]);

  const objectsOf = (bucket = '') => {
    const objects = buckets.get(bucket);
    if (!objects) throw new Error(`There is no bucket ${bucket}`);
    return objects;
  };
  const keys = async (bucket = names[0], prefix = '') =>
    (await objectsOf(bucket).list(prefix, '', 1000)).map(({ key }) => key);
  return {
    url: server.url,
    tags,
    asked,
    keys,
    read: async (key: string, bucket = names[0]) => {
      const found = await objectsOf(bucket).get(key);
      return found && { content: found.content.toString(), headers: found.headers };
    },
    remove: async (prefix: string, bucket = names[0]) => objectsOf(bucket).remove(await keys(bucket, prefix)),
    /** Gives files to a stored contact request, as create-contact does. @returns their keys */
    attach: async (table: string, id: string, files: readonly SentFile[], bucket = names[0]): Promise<string[]> => {
      const upload = randomUUID();
      const all = files.map((_, at) => filesBucket.keyOf(id, upload, at));
      for (const [at, { content, type, name }] of files.entries()) {
        const disposition = `attachment; filename*=UTF-8''${encodeURIComponent(name)}`;
        await objectsOf(bucket).put(
          all[at] ?? '',
          { 'Content-Type': type, 'Content-Disposition': disposition },
          Buffer.from(content),
        );
      }
      const described = files.map(({ content: _, ...file }) => file);
      await client.send(
        new UpdateCommand({
          TableName: table,
          Key: { id },
          UpdateExpression: `SET files = :files, ${contactsTable.upload} = :upload`,
          ExpressionAttributeValues: { ':files': JSON.stringify(described), ':upload': upload },
        }),
      );
      return all;
    },
  };
};
