// The least that Node can do it with: no SDK, one signed request.
import { request } from 'node:https';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { authorizationOf } from '../store/signature.ts';
import { json, parseContact, parseJson } from './contact.ts';

const variable = (name: string) => process.env[name] ?? '';

const region = variable('AWS_REGION');
const endpoint = new URL(process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? `https://dynamodb.${region}.amazonaws.com`);

const send = (operation: string, input: object): Promise<void> => {
  const body = JSON.stringify(input);
  const headers = {
    host: endpoint.host,
    'content-type': 'application/x-amz-json-1.0',
    'x-amz-date': new Date().toISOString().replaceAll(/[-:]|\.\d+/g, ''),
    'x-amz-target': `DynamoDB_20120810.${operation}`,
    'x-amz-security-token': variable('AWS_SESSION_TOKEN'),
  };
  const authorization = authorizationOf(
    { headers, body },
    region,
    variable('AWS_ACCESS_KEY_ID'),
    variable('AWS_SECRET_ACCESS_KEY'),
  );
  return new Promise((resolve, reject) => {
    request(endpoint, { method: 'POST', headers: { ...headers, authorization } }, (response) => {
      response.resume();
      response.once('end', () => (response.statusCode === 200 ? resolve() : reject(new Error('not stored'))));
    })
      .once('error', reject)
      .end(body);
  });
};

export const handler = async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> => {
  const result = parseContact(parseJson(event.body));
  if ('faults' in result) return json(400, { error: 'Bad Request', details: result.faults });
  const { contact } = result;
  await send('PutItem', {
    TableName: variable('CONTACTS_TABLE'),
    Item: Object.fromEntries(Object.entries(contact).map(([name, value]) => [name, { S: value }])),
    ConditionExpression: 'attribute_not_exists(id)',
  });
  return json(201, contact, { Location: `/api/v1/contact/${contact.id}` });
};
