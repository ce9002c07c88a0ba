import { setTimeout as wait } from 'node:timers/promises';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { contactsTable } from './contacts/contacts-table.ts';
import { deleteFiles } from './files/delete-files.ts';
import { filesBucket } from './files/file.ts';
import { objectStore } from './files/object-store.ts';
import { createS3Client } from './sdk/s3-client.ts';
import { createDocumentClient } from './shared/dynamodb.ts';
import { readTableName } from './shared/variables.ts';

const named = v.object({ [contactsTable.upload]: v.exactOptional(v.string()) });

const client = createDocumentClient();
const table = readTableName(contactsTable);
const bucket = readTableName(filesBucket);

export const handler = deleteFiles({
  objects: objectStore(createS3Client(), bucket),
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
