import { setTimeout as wait } from 'node:timers/promises';
import { S3Client } from '@aws-sdk/client-s3';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { contactsTable } from './contacts/contacts-table.ts';
import { deleteFiles } from './files/delete-files.ts';
import { filesBucket } from './files/file.ts';
import { objectStore } from './files/object-store.ts';
import { createDocumentClient } from './shared/dynamodb.ts';
import { readTableName } from './shared/variables.ts';

const named = v.object({ [contactsTable.upload]: v.exactOptional(v.string()) });

const client = createDocumentClient();
const table = readTableName(contactsTable);
const bucket = readTableName(filesBucket);

const s3 = new S3Client({
  // Only AWS itself has a host name for each bucket.
  forcePathStyle: ['AWS_ENDPOINT_URL_S3', 'AWS_ENDPOINT_URL'].some((name) => process.env[name] !== undefined),
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 10_000, throwOnRequestTimeout: true },
});

export const handler = deleteFiles({
  objects: objectStore(s3, bucket),
  uploadOf: async (id) => {
    const { Item: item } = await client.send(
      new GetCommand({
        TableName: table,
        Key: { id },
        ConsistentRead: true,
        ProjectionExpression: contactsTable.readByDeleteFiles.join(', '),
      }),
    );
    return item && v.parse(named, item)[contactsTable.upload];
  },
  now: () => new Date(),
  wait,
});
