// Stores a contact request for peers with a framework, as the SDK's documentation recommends.
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Contact } from './contact.ts';

const documents = DynamoDBDocumentClient.from(new DynamoDBClient());

export const store = (contact: Contact) =>
  documents.send(
    new PutCommand({
      TableName: process.env['CONTACTS_TABLE'],
      Item: contact,
      ConditionExpression: 'attribute_not_exists(id)',
    }),
  );
