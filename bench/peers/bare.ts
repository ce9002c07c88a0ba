// A handler on the SDK's client alone.
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { json, parseContact, parseJson } from './contact.ts';

const client = new DynamoDBClient();

export const handler = async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> => {
  const result = parseContact(parseJson(event.body));
  if ('faults' in result) return json(400, { error: 'Bad Request', details: result.faults });
  const { contact } = result;
  await client.send(
    new PutItemCommand({
      TableName: process.env['CONTACTS_TABLE'],
      Item: Object.fromEntries(Object.entries(contact).map(([name, value]) => [name, { S: value }])),
      ConditionExpression: 'attribute_not_exists(id)',
    }),
  );
  return json(201, contact, { Location: `/api/v1/contact/${contact.id}` });
};
