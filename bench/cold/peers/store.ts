// How the peers with a framework store a contact request: as the SDK's documentation recommends for JavaScript's own values.
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Contact } from './contact-rules.ts';

export const client = new DynamoDBClient();

const documents = DynamoDBDocumentClient.from(client);

export const store = (contact: Contact) =>
  documents.send(
    new PutCommand({
      TableName: process.env['CONTACTS_TABLE'],
      Item: contact,
      ConditionExpression: 'attribute_not_exists(id)',
    }),
  );
