import { render } from 'velocityjs';
import type { StaticAnswer } from '../template/rest-api.ts';
import { GatewayError } from './gateway-error.ts';
import { groupByName, type HttpRequest, type HttpResponse, headerOf, mediaType } from './http-message.ts';

/**
 * Answers with the headers of the integration's response, its template's output, and the headers that the template
 * overrides.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/how-to-mock-integration.html
 */
export const answerMock = (
  { statusCode = 200, headers, body: template = '' }: StaticAnswer,
  request: HttpRequest,
  pathParameters: Readonly<Record<string, string>>,
): HttpResponse => {
  const type = mediaType(headerOf(request.headers, 'content-type')) ?? 'application/json';
  if (type !== 'application/json') throw new GatewayError('UNSUPPORTED_MEDIA_TYPE');
  const given = groupByName(request.headers);
  // The path's parameter, else the query string's, else the header, each in its own case.
  const params = (name: string): string =>
    pathParameters[name] ?? request.query.getAll(name).at(-1) ?? given.get(name)?.at(-1) ?? '';
  const override: { readonly header: Record<string, string> } = { header: {} };
  const body = render(template, { input: { params }, context: { responseOverride: override } });
  return {
    statusCode,
    headers: [['Content-Type', 'application/json'], ...headers, ...Object.entries(override.header)],
    body,
  };
};
