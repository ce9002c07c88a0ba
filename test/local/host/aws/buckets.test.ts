import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  GetObjectTaggingCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  PutObjectTaggingCommand,
  paginateListObjectsV2,
  S3Client,
} from '@aws-sdk/client-s3';
import { expect, onTestFinished, test } from 'vitest';
import { openBuckets } from '../../../../lib/local/host/aws/objects.ts';
import { serveServices } from '../../../../lib/local/host/aws/services.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { createManualClock } from '../manual-clock.ts';

const Bucket = 'local-files';

const credentials = { accessKeyId: 'credential', secretAccessKey: 'secret' };

/** S3 on a data directory, with a client of the SDK. */
const start = async (dataDir = temporaryFolder()) => {
  const clock = createManualClock();
  const lines: string[] = [];
  const server = await serveServices(
    { secrets: [], queues: [], emailTemplates: [] },
    {
      dataDir,
      credentials,
      secrets: {},
      sendMessage: async () => '',
      buckets: await openBuckets(dataDir, [Bucket], clock),
      clock,
      log: (source, line) => void lines.push(`${source}: ${line}`),
    },
  );
  onTestFinished(server.close);
  const s3 = new S3Client({
    endpoint: server.endpoint,
    region: 'eu-central-1',
    credentials,
    maxAttempts: 1,
  });
  onTestFinished(() => s3.destroy());
  const folder = join(dataDir, 'files', Bucket);
  return {
    clock,
    dataDir,
    folder,
    lines,
    s3,
    put: (Key: string, Body: string | Buffer = 'content') => s3.send(new PutObjectCommand({ Bucket, Key, Body })),
    keys: async (options = {}) => {
      const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket, ...options }));
      return Contents.map(({ Key }) => Key);
    },
    /** The files and folders in the bucket. */
    names: () => readdirSync(folder, { recursive: true }),
  };
};

type S3 = Awaited<ReturnType<typeof start>>;

const contentOf = async ({ s3 }: S3, Key: string) => {
  const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key }));
  return Body?.transformToString();
};

test('keeps an object with its headers across starts, readable only by the owner', async () => {
  const { s3, dataDir, folder } = await start();
  const Body = Buffer.from(Array.from({ length: 100_000 }, (_, index) => index % 256));
  const ContentDisposition = `attachment; filename="a.pdf"; filename*=UTF-8''%C3%A4.pdf`;
  const put = { Bucket, Key: 'a/b/0', Body, ContentType: 'application/pdf', ContentDisposition };
  const { ETag } = await s3.send(new PutObjectCommand(put));
  if (process.getuid) {
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, 'a')).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, 'a', 'a%2Fb%2F0')).mode & 0o777).toBe(0o600);
  }

  const again = await start(dataDir);
  const found = await again.s3.send(new GetObjectCommand({ Bucket, Key: 'a/b/0' }));
  const expected = {
    ContentType: 'application/pdf',
    ContentDisposition,
    ContentLength: Body.length,
    ETag,
    LastModified: new Date('2026-03-04T19:15:17Z'),
  };
  expect(found).toMatchObject(expected);
  expect(Buffer.from((await found.Body?.transformToByteArray()) ?? []).equals(Body)).toBe(true);
  expect(await again.s3.send(new HeadObjectCommand({ Bucket, Key: 'a/b/0' }))).toMatchObject(expected);
  const { Contents } = await again.s3.send(new ListObjectsV2Command({ Bucket }));
  expect(Contents).toMatchObject([{ Key: 'a/b/0', Size: Body.length, ETag, LastModified: expected.LastModified }]);
});

test('gives the keys of a prefix, in order, in pages', async () => {
  const { s3, put, keys } = await start();
  for (const key of ['b/2', 'a/b/1', 'a-b/1', 'a/b/0', 'ab/0']) await put(key);
  expect(await keys()).toEqual(['a-b/1', 'a/b/0', 'a/b/1', 'ab/0', 'b/2']);
  expect(await keys({ Prefix: 'a/' })).toEqual(['a/b/0', 'a/b/1']);
  expect(await keys({ Prefix: 'a' })).toEqual(['a-b/1', 'a/b/0', 'a/b/1', 'ab/0']);
  expect(await keys({ StartAfter: 'a/b/0' })).toEqual(['a/b/1', 'ab/0', 'b/2']);
  const pages = [];
  for await (const page of paginateListObjectsV2({ client: s3, pageSize: 2 }, { Bucket })) pages.push(page);
  expect(pages.map(({ Contents }) => Contents?.map(({ Key }) => Key))).toEqual([
    ['a-b/1', 'a/b/0'],
    ['a/b/1', 'ab/0'],
    ['b/2'],
  ]);
});

test('removes objects, and the folders that are empty then', async () => {
  const { s3, put, keys, names } = await start();
  for (const key of ['a/0', 'a/1', 'a/2', 'b/<&>"\'\n0', 'c/0']) await put(key);
  const Objects = ['a/0', 'b/<&>"\'\n0', 'never/0'].map((Key) => ({ Key }));
  const { Deleted } = await s3.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }));
  expect(Deleted).toEqual(Objects);
  expect(await keys()).toEqual(['a/1', 'a/2', 'c/0']);
  for (const Key of ['a/1', 'a/2', 'c/0', 'c/0']) await s3.send(new DeleteObjectCommand({ Bucket, Key }));
  expect(names()).toEqual([]);
});

test('puts and removes in the same folder at once', async () => {
  const { s3, put, names } = await start();
  const visit = async (_: unknown, index: number) => {
    await put(`a/${index}`);
    await s3.send(new DeleteObjectCommand({ Bucket, Key: `a/${index}` }));
  };
  await Promise.all(Array.from({ length: 30 }, visit));
  expect(names()).toEqual([]);
});

test.each(['../../escaped', '..', './a', 'a/../../b', 'a//b', 'a/b\\..\\c', 'CON/a:b*?"<|>', 'ä/\u{1f600}\0'])(
  'no key leads out of the folder: %j',
  async (key) => {
    const opened = await start();
    const isKept = await opened.put(key).then(
      () => true,
      ({ name }) => {
        expect(name).toBe('InvalidArgument');
        return false;
      },
    );
    expect(readdirSync(opened.dataDir)).toEqual(['files']);
    expect(readdirSync(join(opened.dataDir, 'files'))).toEqual([Bucket]);
    expect(await opened.keys()).toEqual(isKept ? [key] : []);
    if (isKept) expect(await contentOf(opened, key)).toBe('content');
  },
);

test('an object has no tags', async () => {
  const { s3, put } = await start();
  await put('a/0');
  expect((await s3.send(new GetObjectTaggingCommand({ Bucket, Key: 'a/0' }))).TagSet).toEqual([]);
});

test('removes at the start what a crash left', async () => {
  const { put, dataDir, folder } = await start();
  await put('a/0');
  writeFileSync(join(folder, '.incomplete'), 'half');
  mkdirSync(join(folder, 'empty'));
  expect((await start(dataDir)).names()).toEqual(['a', join('a', 'a%2F0')]);
});

test('a put that fails leaves nothing', async () => {
  const { put, folder, names, lines } = await start();
  writeFileSync(join(folder, 'a'), 'in the way');
  await expect(put('a/0')).rejects.toMatchObject({ name: 'InternalError', $metadata: { httpStatusCode: 500 } });
  expect(names()).toEqual(['a']);
  expect(lines).toHaveLength(1);
});

test('refuses a body that differs from its checksum', async () => {
  const { s3, names } = await start();
  for (const checksum of [{ ChecksumCRC32: 'AAAAAA==' }, { ContentMD5: 'AAAAAAAAAAAAAAAAAAAAAA==' }]) {
    const put = new PutObjectCommand({ Bucket, Key: 'a/0', Body: 'content', ...checksum });
    await expect(s3.send(put)).rejects.toMatchObject({ name: 'BadDigest' });
  }
  expect(names()).toEqual([]);
});

test('names what is missing, damaged or not served', async () => {
  const { s3, put, folder } = await start();
  await put('a/0');
  const missing = { Bucket, Key: 'a/1' };
  await expect(s3.send(new GetObjectCommand(missing))).rejects.toMatchObject({ name: 'NoSuchKey' });
  await expect(s3.send(new HeadObjectCommand(missing))).rejects.toMatchObject({ name: 'NotFound' });
  await expect(s3.send(new GetObjectTaggingCommand(missing))).rejects.toMatchObject({ name: 'NoSuchKey' });
  await s3.send(new HeadBucketCommand({ Bucket }));
  await expect(s3.send(new ListObjectsV2Command({ Bucket: 'other' }))).rejects.toMatchObject({ name: 'NoSuchBucket' });
  const tags = new PutObjectTaggingCommand({ Bucket, Key: 'a/0', Tagging: { TagSet: [] } });
  await expect(s3.send(tags)).rejects.toThrow('The local host does not serve PUT of a key tagging');
  await expect(s3.send(new ListObjectsV2Command({ Bucket, Delimiter: '/' }))).rejects.toThrow('delimiter');
  const file = join(folder, 'a', 'a%2F0');
  writeFileSync(file, readFileSync(file).subarray(10));
  await expect(s3.send(new GetObjectCommand({ Bucket, Key: 'a/0' }))).rejects.toMatchObject({ name: 'InternalError' });
});
