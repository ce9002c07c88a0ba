import { S3Client } from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { objectStore } from '../../../functions/files/object-store.ts';
import { serve } from '../../support/server.ts';

/** S3 with some objects, for the SDK's real client: https://docs.aws.amazon.com/AmazonS3/latest/API/ */
const startS3 = async (keys: Set<string>, undeletable = '') => {
  const pageSize = 1_000;
  const deletions: number[] = [];
  const server = await serve((request, response, body) => {
    const { pathname, searchParams } = new URL(String(request.url), 'http://s3');
    response.setHeader('Content-Type', 'application/xml');
    if (request.method === 'POST') {
      const asked = [...body.toString().matchAll(/<Key>(.*?)<\/Key>/g)].map(([, key = '']) => key);
      deletions.push(asked.length);
      for (const key of asked) if (key !== undeletable) keys.delete(key);
      const error = `<Error><Key>${undeletable}</Key><Code>AccessDenied</Code></Error>`;
      return response.end(`<DeleteResult>${asked.includes(undeletable) ? error : ''}</DeleteResult>`);
    }
    const from = Number(searchParams.get('continuation-token') ?? 0);
    const below = [...keys].filter((key) => key.startsWith(searchParams.get('prefix') ?? '')).toSorted();
    const contents = below
      .slice(from, from + pageSize)
      .map((key) => `<Contents><Key>${key}</Key><LastModified>2026-03-04T12:00:00.000Z</LastModified></Contents>`);
    const next =
      from + pageSize < below.length ? `<NextContinuationToken>${from + pageSize}</NextContinuationToken>` : '';
    return response.end(`<ListBucketResult><Name>${pathname}</Name>${contents.join('')}${next}</ListBucketResult>`);
  });
  const client = new S3Client({
    endpoint: server.url,
    forcePathStyle: true,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
  const stop = async () => {
    client.destroy();
    await server[Symbol.asyncDispose]();
  };
  return { store: objectStore(client, 'files'), deletions, [Symbol.asyncDispose]: stop };
};

const listed = async (pages: AsyncIterable<readonly { readonly key: string; readonly putAt: Date }[]>) => {
  const found = [];
  for await (const page of pages) found.push(...page);
  return found;
};

test('lists all pages of a prefix', async () => {
  const keys = new Set(Array.from({ length: 2_001 }, (_, at) => `a/${String(at).padStart(4, '0')}`).concat('b/0'));
  await using s3 = await startS3(keys);
  const found = await listed(s3.store.list('a/'));
  expect(found).toHaveLength(2_001);
  expect(found.at(-1)).toEqual({ key: 'a/2000', putAt: new Date('2026-03-04T12:00:00Z') });
  expect(await listed(s3.store.list('c/'))).toEqual([]);
});

test('deletes a thousand objects a call', async () => {
  const keys = new Set(Array.from({ length: 1_500 }, (_, at) => `a/${at}`));
  await using s3 = await startS3(keys);
  await s3.store.delete([...keys]);
  expect([keys.size, s3.deletions]).toEqual([0, [1_000, 500]]);
});

test('an object that remains is an error, though S3 says 200', async () => {
  const keys = new Set(['a/0', 'a/1', 'a/2']);
  await using s3 = await startS3(keys, 'a/1');
  await expect(s3.store.delete([...keys])).rejects.toThrow('S3 left 1 of 3 objects: AccessDenied');
  expect([...keys]).toEqual(['a/1']);
});
