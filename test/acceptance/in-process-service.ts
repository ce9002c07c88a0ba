// Serves the API in the process of the tests, with the handlers as they are imported: this takes a tenth of the time of a
// service over HTTP, and there a mutant can be switched on.
import { join } from 'node:path';
import { afterAll, inject } from 'vitest';
import { endpoints } from '../../lib/infrastructure/endpoints.ts';
import { systemClock } from '../../lib/local/host/clock.ts';
import { createGateway } from '../../lib/local/host/gateway/gateway.ts';
import { createGatewayServer } from '../../lib/local/host/gateway/gateway-server.ts';
import type { Invoke } from '../../lib/local/host/lambda/function-pool.ts';
import { readTemplate } from '../../lib/local/host/template/template.ts';
import { lambdaContext } from '../support/event.ts';
import { keepLog } from '../support/log.ts';
import { listen, stop } from '../support/server.ts';

keepLog();

const { assembly, storeEndpoint } = inject('inProcess');
const { functions, restApi } = await readTemplate(assembly);

Object.assign(process.env, ...functions.map(({ variables }) => variables), {
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  AWS_REGION: 'local',
  AWS_ENDPOINT_URL_DYNAMODB: storeEndpoint,
});

/** The file of a function. Its name is the logical id: the id in the stack, and a hash. */
const handlerOf = (name: string) => {
  const functionId = name.replace(/[0-9A-F]{8}$/, '');
  return endpoints.find(({ id }) => id === functionId)?.handler ?? 'authorizer';
};

const handlers = new Map(
  await Promise.all(
    functions.map(async ({ arn, name }) => {
      const file = join(import.meta.dirname, '..', '..', 'functions', `${handlerOf(name)}.ts`);
      // Vite resolves no name by itself that a program computes.
      const { handler } = await import(/* @vite-ignore */ file);
      return [arn, handler] as const;
    }),
  ),
);

/** Copies an event or a response: on Lambda, these share no object with the function. */
const copy = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const invoke: Invoke = async (arn, event) => {
  try {
    return { ok: true, payload: copy(await handlers.get(arn)(copy(event), lambdaContext())) };
  } catch (error) {
    return { ok: false, errorMessage: error instanceof Error ? error.message : String(error) };
  }
};

const log = () => {};
const server = createGatewayServer(
  createGateway(restApi, invoke, systemClock, log),
  restApi.gatewayResponses,
  systemClock,
  log,
);
// The files of a worker share target.ts, which reads the URL only once: so each file serves at the same URL.
const { IN_PROCESS_BASE_URL: earlier } = process.env;
process.env['IN_PROCESS_BASE_URL'] = await listen(server, earlier === undefined ? 0 : Number(new URL(earlier).port));
afterAll(() => stop(server));
