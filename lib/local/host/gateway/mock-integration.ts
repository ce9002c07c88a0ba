import { render } from 'velocityjs';
import type { MockIntegration } from '../template/mock-integration.ts';
import { GatewayError } from './gateway-error.ts';
import { groupByName, type Header, type HttpRequest, type HttpResponse, headerOf, mediaType } from './http-message.ts';
import type { RequestContext } from './proxy-event.ts';

/** `$input.params(name)`: the path's parameter, else the query string's, else the header, each in its own case. */
const inputParams =
  ({ query, headers }: HttpRequest, pathParameters: Readonly<Record<string, string>>) =>
  (name: string): string =>
    pathParameters[name] ?? query.getAll(name).at(-1) ?? groupByName(headers).get(name)?.at(-1) ?? '';

/** The request template's output, which names the status: the body itself where it may pass without a template. */
const requestText = (integration: MockIntegration, request: HttpRequest, data: object): string => {
  const { PassthroughBehavior, RequestTemplates } = integration;
  const templates = new Map(Object.entries(RequestTemplates));
  const template = templates.get(mediaType(headerOf(request.headers, 'content-type')) ?? 'application/json');
  if (template !== undefined) return render(template, data);
  if (PassthroughBehavior === 'NEVER' || (PassthroughBehavior === 'WHEN_NO_TEMPLATES' && templates.size > 0)) {
    throw new GatewayError('UNSUPPORTED_MEDIA_TYPE');
  }
  return request.body.toString();
};

/**
 * Answers with the integration response that the request template's status code selects, with its headers, its
 * template's output and what that template overrides.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/how-to-mock-integration.html
 */
export const answerMock = (
  integration: MockIntegration,
  request: HttpRequest,
  pathParameters: Readonly<Record<string, string>>,
  requestContext: RequestContext,
): HttpResponse => {
  const override: { header: Record<string, string>; status?: number } = { header: {} };
  const data = {
    input: { params: inputParams(request, pathParameters) },
    context: { ...requestContext, responseOverride: override },
  };
  const status = /"?statusCode"?\s*:\s*"?(\d{3})\b/.exec(requestText(integration, request, data))?.[1];
  const response =
    integration.IntegrationResponses.find(
      ({ SelectionPattern }) => SelectionPattern && status && new RegExp(`^(?:${SelectionPattern})$`).test(status),
    ) ?? integration.IntegrationResponses.find(({ SelectionPattern }) => !SelectionPattern);
  if (!status || !response) throw new GatewayError('API_CONFIGURATION_ERROR');

  const body = render(response.ResponseTemplates['application/json'] ?? '', data);
  const parameters = Object.entries(response.ResponseParameters).map(
    ([parameter, value]): Header => [parameter.replace('method.response.header.', ''), value.slice(1, -1)],
  );
  const overridden = Object.entries(override.header);
  const names = new Set(overridden.map(([name]) => name.toLowerCase()));
  return {
    statusCode: override.status ?? response.StatusCode,
    headers: [
      ['Content-Type', 'application/json'],
      ...parameters.filter(([name]) => !names.has(name.toLowerCase())),
      ...overridden,
    ],
    body,
  };
};
