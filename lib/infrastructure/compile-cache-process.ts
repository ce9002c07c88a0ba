// Starts the functions that somebody waits for, one after the other, as Lambda does, on a store that has nothing, and keeps
// what V8 has compiled meanwhile. Started by lib/infrastructure/compile-caches.ts, with the folder of the bundles.
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import * as v from 'valibot';
import type { AuthorizerVariables } from '../../functions/authorizer-variables.ts';
import { campaignsTable } from '../../functions/campaigns/table.ts';
import type { CreateContactVariables } from '../../functions/contacts/create-variables.ts';
import { contactsTable } from '../../functions/contacts/table.ts';
import { tokensTable } from '../../functions/tokens/table.ts';
import { toVariables } from '../../functions/variables.ts';
import { bundleDir, handlerNames, notificationHandlers } from './handlers.ts';

const [bundles = ''] = process.argv.slice(2);

const store = createServer((_, answer) => {
  answer.setHeader('Content-Type', 'application/x-amz-json-1.0').end('{}');
}).listen(0, '127.0.0.1');
await once(store, 'listening');
const { port } = v.parse(v.object({ port: v.number() }), store.address());

Object.assign(process.env, {
  AWS_ACCESS_KEY_ID: 'none',
  AWS_ENDPOINT_URL_DYNAMODB: `http://127.0.0.1:${port}`,
  AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
  AWS_REGION: 'none',
  AWS_SECRET_ACCESS_KEY: 'none',
  [campaignsTable.variable]: 'campaigns',
  [contactsTable.variable]: 'contacts',
  [tokensTable.variable]: 'tokens',
  ...toVariables({
    ENVIRONMENT: 'none',
    SITES: [],
    HONEYPOT_FIELDS: ['website'],
    EXTRA_FIELDS: 'keep',
    LIST_SHARDS: 1,
  } satisfies CreateContactVariables),
  ...toVariables({ GRANTS: [] } satisfies AuthorizerVariables),
});

const started = v.object({ script: v.custom<{ createCachedData(): Buffer }>((value) => value instanceof Object) });

for (const handler of handlerNames.filter((name) => !notificationHandlers.includes(name))) {
  const folder = bundleDir(bundles, handler);
  const { script } = v.parse(started, await import(join(folder, 'index.mjs')));
  writeFileSync(join(folder, `${process.version}-${process.arch}.cache`), script.createCachedData());
}
store.close().closeAllConnections();
