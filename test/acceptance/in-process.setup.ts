import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { putCampaign } from '../../functions/campaigns/manage-campaigns.ts';
import { putToken } from '../../functions/tokens/manage-tokens.ts';
import { permissions } from '../../lib/infrastructure/endpoints.ts';
import { type Assembly, readTemplate } from '../../lib/local/host/template/template.ts';
import { localEnvironment } from '../../lib/local/local-environment.ts';
import { openStoreTables } from '../../lib/local/store-tables.ts';
import { synthesizeLocal } from '../../lib/local/synthesize.ts';
import { createDynalite } from '../support/dynalite.ts';
import { listen, stop } from '../support/server.ts';
import { createTables } from '../support/template-tables.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** What in-process-service.ts serves, and on which store. */
    readonly inProcess: { readonly assembly: Assembly; readonly storeEndpoint: string };
  }
}

const siteOrigin = 'http://localhost:8080';
const inboxOrigin = 'http://localhost:8081';

/** Makes the store and the template of a service that each worker starts in its own process (in-process-service.ts). */
export default async (project: TestProject) => {
  const directory = await mkdtemp(join(tmpdir(), 'acceptance-'));
  const environment = localEnvironment({}, { SITE_ORIGINS: [] }, { exampleSite: siteOrigin, inbox: inboxOrigin });
  const assembly = await synthesizeLocal(directory, environment);
  const template = await readTemplate(assembly);
  const dynalite = createDynalite();
  const store = { endpoint: await listen(dynalite), accessKeyId: 'local', secretAccessKey: 'local' };
  await createTables(store, template.tables);

  using opened = openStoreTables(store, template.outputs);
  const { campaigns, tokens } = opened.tables;
  for (const name of ['Newsletter', 'Spring']) await putCampaign(campaigns, { id: randomUUID(), name });
  const issue = async (name: string, allowed: readonly string[]) =>
    (await putToken(tokens, { name, permissions: allowed, now: new Date() })).token;
  const limited = await Promise.all(permissions.map(async (one) => [one, await issue(one, [one])] as const));
  const staffToken = await issue('all', permissions);

  project.provide('inProcess', { assembly, storeEndpoint: store.endpoint });
  project.provide('target', {
    baseUrl: 'set by in-process-service.ts',
    siteOrigin,
    inboxOrigin,
    staffToken,
    limitedTokens: Object.fromEntries(limited),
    lacks: [],
    run: randomUUID(),
  });
  return async () => {
    await stop(dynalite);
    await rm(directory, { recursive: true });
  };
};
