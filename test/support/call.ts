import type { Context } from 'aws-lambda';
import type { HttpResponse } from '../../functions/http/response.ts';
import { lambdaContext, proxyEvent, type RequestParts } from './event.ts';

/** The handler of an endpoint. */
type EndpointHandler = (event: unknown, context: Context) => Promise<HttpResponse>;

/** A response; `body` is the parsed JSON, if it is JSON. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly body: unknown;
}

export type Call = (parts?: RequestParts, remaining?: number) => Promise<ApiResponse>;

/** Calls a handler as API Gateway does for a route such as `GET /v1/campaigns/{id}`. */
export const callerOf =
  (route: string, handler: EndpointHandler): Call =>
  async (parts, remaining) => {
    const { statusCode, headers, body } = await handler(proxyEvent(route, parts), lambdaContext(remaining));
    return {
      status: statusCode,
      headers,
      text: body,
      body: headers['Content-Type']?.startsWith('application/json') ? JSON.parse(body) : undefined,
    };
  };
