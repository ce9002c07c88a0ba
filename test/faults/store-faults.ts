import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '../../lib/infrastructure/app.ts';
import { bundleFunctions } from '../../lib/infrastructure/bundle.ts';
import { permissions } from '../../lib/infrastructure/endpoints.ts';
import { stackName } from '../../lib/infrastructure/settings.ts';
import { systemClock } from '../../lib/local/host/clock.ts';
import { createGateway } from '../../lib/local/host/gateway/gateway.ts';
import { createGatewayServer } from '../../lib/local/host/gateway/gateway-server.ts';
import { createFunctionPool } from '../../lib/local/host/lambda/function-pool.ts';
import { readTemplate } from '../../lib/local/host/template/template.ts';
import { addCampaign } from '../../lib/staff/campaign-table.ts';
import { environmentOfStore } from '../../lib/staff/local.ts';
import { issueToken } from '../../lib/staff/token-table.ts';
import { type Answer, sendOnce } from '../acceptance/http.ts';
import { createDynalite } from '../support/dynalite.ts';
import { environments } from '../support/environments.ts';
import { listen, stop } from '../support/server.ts';
import { createTables } from '../support/template-tables.ts';
import { firstLine, type Outcome } from './outcome.ts';
import { type Fault, faultNames, startStoreProxy } from './store-proxy.ts';

type Template = Awaited<ReturnType<typeof readTemplate>>;

/** Stands in what is sent, and may stand in no line of a log. */
const marker = `secret-${randomUUID()}`;

/** The service on a store of its own, and the same with one function behind the proxy. */
interface Service {
  readonly template: Template;
  readonly storeEndpoint: string;
  readonly newToken: () => Promise<string>;
  readonly campaignId: string;
  readonly lines: string[];
}

/** Sends to the service: over the proxy, or past it. */
interface Paths {
  readonly faulty: Send;
  readonly sound: Send;
  readonly service: Service;
}

type Send = (method: string, path: string, init?: RequestInit) => Promise<Answer>;

/** dynalite takes any. */
const accessKeyId = 'local';

const variablesOf = (endpoint: string) => ({ AWS_ENDPOINT_URL_DYNAMODB: endpoint, AWS_ACCESS_KEY_ID: accessKeyId });

const contactPath = '/api/v1/contact';

const post = (message: string, headers: Record<string, string> = {}): RequestInit => ({
  headers: { 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify({ email: `${marker}@example.com`, message }),
});

const idOf = ({ headers }: Answer) => headers.get('location')?.split('/').at(-1) ?? '';

const newMessage = () => `${marker} ${randomUUID()}`;

/** A request to a function, and whether an answer to it is the truth. */
interface Act {
  readonly send: () => Promise<Answer>;
  /** Throws when the answer, given while the store is well in the end, is not true. */
  readonly isTrue: (answer: Answer) => Promise<void>;
  /** What to look at after an answer that told of the fault. */
  readonly afterwards?: () => Promise<void>;
}

/** What is asked of each function. */
const acts: Readonly<Record<string, (paths: Paths) => Promise<Act>>> = {
  CreateContact: async ({ faulty, sound }) => {
    const message = newMessage();
    return {
      send: () => faulty('POST', contactPath, post(message)),
      isTrue: async (answer) => {
        assert.equal(answer.status, 201);
        assert.deepEqual((await sound('GET', `${contactPath}/${idOf(answer)}`)).body, answer.body);
        const list = await sound('GET', contactPath);
        assert.equal(list.text.split(message).length, 2, 'stored once');
      },
    };
  },
  'CreateContact with a key': async ({ faulty, sound }) => {
    const [message, key] = [newMessage(), { 'Idempotency-Key': randomUUID() }];
    const isStoredOnce = async () => {
      assert.equal((await sound('GET', contactPath)).text.split(message).length, 2, 'stored once');
    };
    return {
      send: () => faulty('POST', contactPath, post(message, key)),
      isTrue: async (answer) => {
        assert.equal(answer.status, 201);
        assert.equal(answer.headers.get('idempotent-replayed'), null, 'it was the first');
        await isStoredOnce();
      },
      afterwards: async () => {
        assert.equal((await sound('POST', contactPath, post(message, key))).status, 201, 'the key works afterwards');
        await isStoredOnce();
      },
    };
  },
  ListContacts: async ({ faulty, sound }) => {
    const id = idOf(await sound('POST', contactPath, post(newMessage())));
    return {
      send: () => faulty('GET', contactPath),
      isTrue: async (answer) => {
        assert.equal(answer.status, 200);
        assert(answer.text.includes(id));
      },
    };
  },
  GetContact: async ({ faulty, sound }) => {
    const created = await sound('POST', contactPath, post(newMessage()));
    return {
      send: () => faulty('GET', `${contactPath}/${idOf(created)}`),
      isTrue: async (answer) => assert.deepEqual([answer.status, answer.body], [200, created.body]),
    };
  },
  DeleteContact: async ({ faulty, sound }) => {
    const id = idOf(await sound('POST', contactPath, post(newMessage())));
    return {
      send: () => faulty('DELETE', `${contactPath}/${id}`),
      isTrue: async (answer) => {
        assert.equal(answer.status, 204);
        assert.equal((await sound('GET', `${contactPath}/${id}`)).status, 404);
        assert(!(await sound('GET', contactPath)).text.includes(id));
      },
    };
  },
  'DeleteContact of nothing': async ({ faulty }) => ({
    send: () => faulty('DELETE', `${contactPath}/${randomUUID()}`),
    isTrue: async (answer) => assert.equal(answer.status, 404),
  }),
  ListCampaigns: async ({ faulty, service }) => ({
    send: () => faulty('GET', '/v1/campaigns'),
    isTrue: async (answer) => assert.equal(answer.status, 200, service.campaignId),
  }),
  GetCampaign: async ({ faulty, service }) => ({
    send: () => faulty('GET', `/v1/campaigns/${service.campaignId}`),
    isTrue: async (answer) => assert.equal(answer.status, 200),
  }),
  Authorizer: async ({ faulty, service }) => {
    // One that the gateway has not seen, so that it asks.
    const token = await service.newToken();
    return {
      send: () => faulty('GET', '/v1/campaigns', { headers: { Authentication: token } }),
      isTrue: async (answer) => assert.equal(answer.status, 200),
    };
  },
};

/** What the store refuses for good is no matter of trying again: a fault of the service, until somebody mends it. */
const forGood: readonly Fault[] = ['access denied', 'clock skew', 'rubbish'];

const internal = /dynamo|arn:|exception|signature|error:|log in|\.m?[jt]s/i;

/** Expects an answer that tells of the fault, in the form of every error. */
const expectFault = ({ status, headers, text, body }: Answer, fault: Fault) => {
  assert(status === 503 || (status === 500 && forGood.includes(fault)), `${status} ${text}`);
  assert.deepEqual(body, { error: status === 503 ? 'Service Unavailable' : 'Internal Server Error' });
  assert.doesNotMatch(text, internal);
  if (status === 503) assert.match(headers.get('retry-after') ?? '', /^[1-9][0-9]*$/, 'Retry-After');
};

const modes = { always: Number.POSITIVE_INFINITY, 'twice, then well': 2 } as const;

/** Lets one function meet each fault, one after another. */
const tryFunction = async (service: Service, name: string): Promise<Outcome[]> => {
  const { template, storeEndpoint, lines } = service;
  const definition = template.functions.find((each) => each.name.startsWith(name.split(' ')[0] ?? ''));
  const makeAct = acts[name];
  if (!definition || !makeAct) throw new Error(`There is no function ${name}`);

  await using proxy = await startStoreProxy(storeEndpoint);
  const ownLines: string[] = [];
  const log = (_: string, line: string) => {
    lines.push(line);
    ownLines.push(line);
  };
  /** The service with fresh functions, as if nothing had been asked of them. */
  const start = async (endpoint: string) => {
    const others = createFunctionPool(
      template.functions.filter(({ arn }) => arn !== definition.arn),
      variablesOf(storeEndpoint),
      ...([systemClock, log] as const),
    );
    const tried = createFunctionPool([definition], variablesOf(endpoint), systemClock, log);
    const gateway = createGateway(
      template.restApi,
      (arn, event) => (arn === definition.arn ? tried : others).invoke(arn, event),
      ...([systemClock, log] as const),
    );
    const server = createGatewayServer(gateway, template.restApi.gatewayResponses, systemClock, log);
    const url = await listen(server);
    const token = await service.newToken();
    const send: Send = (method, path, init = {}) =>
      sendOnce(url + path, { method, ...init, headers: { Authentication: token, ...init.headers } });
    // The gateway asks for a policy once: that is no part of what is measured.
    await send('GET', '/v1/campaigns');
    return { send, stop: () => Promise.all([stop(server), others.close(), tried.close()]) };
  };

  const tryCase = async (paths: Paths, fault: Fault, mode: keyof typeof modes): Promise<Outcome> => {
    const act = await makeAct(paths);
    ownLines.length = 0;
    proxy.prepare(fault, modes[mode]);
    const started = performance.now();
    const answer = await act.send();
    const milliseconds = performance.now() - started;
    await proxy.settle();
    const judge = async () => {
      if (mode === 'always' || (answer.status >= 500 && forGood.includes(fault))) {
        expectFault(answer, fault);
        await act.afterwards?.();
      } else {
        await act.isTrue(answer);
      }
      assert(milliseconds < definition.timeoutSeconds * 1000, `an answer after ${Math.round(milliseconds)} ms`);
      assert(!ownLines.some((line) => line.includes('Task timed out')), 'the function timed out');
    };
    return {
      ...{ row: `${fault}, ${mode}`, column: name, says: String(answer.status), milliseconds },
      wrong: await judge().then(() => undefined, firstLine),
    };
  };

  const sound = await start(storeEndpoint);
  const outcomes: Outcome[] = [];
  for (const fault of faultNames) {
    let faulty = await start(proxy.url);
    const attempt = (mode: keyof typeof modes) =>
      tryCase({ faulty: faulty.send, sound: sound.send, service }, fault, mode);
    for (const mode of ['always', 'twice, then well'] as const) {
      let outcome = await attempt(mode);
      if (outcome.wrong !== undefined) {
        // What is bad once more, on fresh functions, is bad: a busy machine's store can be too slow for an attempt.
        await faulty.stop();
        faulty = await start(proxy.url);
        outcome = await attempt(mode);
      }
      outcomes.push(outcome);
    }
    await faulty.stop();
  }
  await sound.stop();
  return outcomes;
};

/** Every fault, for every function. */
export const tryStoreFaults = async (): Promise<Outcome[]> => {
  const directory = await mkdtemp(join(tmpdir(), 'faults-'));
  const dynalite = createDynalite();
  try {
    const bundles = await bundleFunctions(join(directory, 'functions'));
    const app = createApp({ dev: environments.dev }, bundles, { outdir: join(directory, 'cdk.out') });
    const template = await readTemplate({ directory: app.synth().directory, stackName: stackName('dev') });
    const store = { endpoint: await listen(dynalite), accessKeyId };
    await createTables(store, template.tables);
    const environment = environmentOfStore({ ...store, outputs: template.outputs, close: async () => {} });
    const { dynamodb: client, tables } = environment;
    const { id: campaignId } = await addCampaign({ client, table: tables.campaigns }, 'Newsletter');
    const tokens: string[] = [];
    const newToken = async () => {
      const name = `token ${randomUUID()}`;
      const { token } = await issueToken({ client, table: tables.tokens }, { name, permissions, now: new Date() });
      tokens.push(token);
      return token;
    };
    const service: Service = { template, storeEndpoint: store.endpoint, newToken, campaignId, lines: [] };
    const outcomes = (await Promise.all(Object.keys(acts).map((name) => tryFunction(service, name)))).flat();
    await environment.close();
    const leak = service.lines.find((line) => [marker, ...tokens].some((secret) => line.includes(secret)));
    const says = `${service.lines.length} lines`;
    return [...outcomes, { row: 'nothing personal in the log', column: '', says, milliseconds: 0, wrong: leak }];
  } finally {
    await stop(dynalite);
    await rm(directory, { recursive: true });
  }
};
