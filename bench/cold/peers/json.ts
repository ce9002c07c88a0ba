import type { APIGatewayProxyResult } from 'aws-lambda';

export const json = (statusCode: number, content: object, headers = {}): APIGatewayProxyResult => ({
  statusCode,
  headers: { 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify(content),
});

/** What a body holds that is JSON; nothing when it is none. */
export const parseJson = (body: string | null): unknown => {
  try {
    return JSON.parse(body ?? '');
  } catch {
    return undefined;
  }
};
