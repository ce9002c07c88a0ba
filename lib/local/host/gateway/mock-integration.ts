import * as v from 'valibot';
import { parse, render } from 'velocityjs';
import { GatewayError, statusCodeSchema } from './gateway-error.ts';
import { groupByName, type Header, type HttpRequest, type HttpResponse, headerOf, mediaType } from './http-message.ts';
import type { RequestContext } from './proxy-event.ts';

const understands = (template: string): boolean => {
  const references = template.match(/\$!?\{?(?:input|util|stageVariables)\b(?:\.\w+)?/g) ?? [];
  if (references.some((reference) => !reference.endsWith('input.params'))) return false;
  try {
    return parse(template).length >= 0;
  } catch {
    return false;
  }
};

/** A mapping template, whose only data are `$input.params(name)` and `$context`. */
const mappingTemplates = v.strictObject({
  'application/json': v.optional(
    v.pipe(
      v.string(),
      v.check(understands, ({ input }) => `"${input}" is no mapping template that is supported`),
    ),
  ),
});

/** A MOCK integration whose templates can be rendered here. */
export const mockIntegrationSchema = v.strictObject({
  IntegrationResponses: v.array(
    v.strictObject({
      ResponseParameters: v.optional(
        v.record(
          v.pipe(v.string(), v.regex(/^method\.response\.header\.[\w-]+$/)),
          v.pipe(v.string(), v.regex(/^'[^']*'$/)),
        ),
        {},
      ),
      ResponseTemplates: v.optional(mappingTemplates, {}),
      SelectionPattern: v.optional(v.string()),
      StatusCode: statusCodeSchema,
    }),
  ),
  PassthroughBehavior: v.optional(v.picklist(['NEVER', 'WHEN_NO_MATCH', 'WHEN_NO_TEMPLATES']), 'WHEN_NO_MATCH'),
  RequestTemplates: v.optional(mappingTemplates, {}),
  Type: v.literal('MOCK'),
});

/** An integration that answers from its templates alone. */
export type MockIntegration = v.InferOutput<typeof mockIntegrationSchema>;

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
