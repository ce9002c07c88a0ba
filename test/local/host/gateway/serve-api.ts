import { createGateway } from '../../../../lib/local/host/gateway/gateway.ts';
import { type Admits, createGatewayServer } from '../../../../lib/local/host/gateway/gateway-server.ts';
import type { InvocationResult } from '../../../../lib/local/host/lambda/function-pool.ts';
import { listen } from '../../../../lib/local/host/listen.ts';
import type { Method, RestApi } from '../../../../lib/local/host/template/rest-api.ts';
import { createManualClock } from '../manual-clock.ts';

type Function = (event: unknown) => InvocationResult | Promise<InvocationResult>;

/** A method that this function responds to. */
export const method = (route: string, functionArn: string, more: Partial<Method> = {}): Method => {
  const [httpMethod = '', resourcePath = ''] = route.split(' ');
  return { httpMethod, resourcePath, throttle: undefined, authorizer: undefined, integration: functionArn, ...more };
};

/** Serves methods with a manual clock. */
export const serveApi = async (
  methods: readonly Method[],
  functions: Readonly<Record<string, Function>>,
  gatewayResponses: RestApi['gatewayResponses'] = new Map(),
  { publicUrl, admits }: { readonly publicUrl?: URL; readonly admits?: Admits } = {},
) => {
  const clock = createManualClock();
  const lines: string[] = [];
  const log = (source: string, line: string) => void lines.push(`${source}: ${line}`);
  const api = { id: 'api', stage: 'live', binaryMediaTypes: ['image/png'], methods, gatewayResponses };
  const gateway = createGateway(
    api,
    async (arn, event) => functions[arn]?.(event) ?? { ok: false, errorMessage: 'There is no such function' },
    clock,
    log,
    publicUrl,
  );
  const server = createGatewayServer(gateway, gatewayResponses, clock, log, undefined, admits);
  const { port, stop } = await listen(server, 0);
  return { server, baseUrl: `http://127.0.0.1:${port}`, clock, lines, stop };
};
