import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { putToken } from '../../functions/tokens/manage-tokens.ts';
import { createApp } from '../../lib/infrastructure/app.ts';
import { permissions } from '../../lib/infrastructure/endpoints.ts';
import { type EnvironmentInput, stackName } from '../../lib/infrastructure/settings.ts';
import { serveSite } from '../../lib/local/example-site.ts';
import type { Clock } from '../../lib/local/host/clock.ts';
import { type Host, startHost } from '../../lib/local/host/host.ts';
import { openStoreTables } from '../../lib/local/store-tables.ts';

/** A static site and the service that its pages post to: two origins. */
export interface Site {
  readonly siteUrl: string;
  readonly apiUrl: string;
}

/** A site whose service is running. */
export interface Service extends Site {
  readonly inboxUrl: string;
  /** For staff commands. */
  readonly dataDir: string;
  /** Has every permission. */
  readonly staffToken: string;
  /** Can only read contact requests. */
  readonly readToken: string;
}

/** How many contact requests, and as many preflights, the throttled service accepts before it refuses the rest. */
export const room = 10;

/** The guarded service demands so few bits that a search takes some milliseconds. */
export const proofBits = 12;

/** Uses them up for contact requests; preflights keep theirs. */
export const takeRoom = ({ apiUrl }: Site): Promise<unknown> =>
  Promise.all(Array.from({ length: room }, () => fetch(`${apiUrl}/api/v1/contact`, { method: 'POST' })));

/** The addresses of the service and the site in the pages: the static server replaces them with the real ones. */
const writtenApiUrl = 'http://127.0.0.1:3000';
const writtenSiteUrl = 'http://localhost:8080';

const inboxFolder = join(import.meta.dirname, '..', '..', 'inbox');

const defaults = {
  throttles: { public: { rate: 1000, burst: 1000 }, staff: { rate: 1000, burst: 1000 } },
  retainData: false,
  logRetentionDays: 1,
} as const;

const issueTokens = async ({ store, outputs }: Host) => {
  using opened = openStoreTables(store, outputs);
  const issue = async (name: string, permissions: readonly string[]) =>
    (await putToken(opened.tables.tokens, { name, permissions, now: new Date() })).token;
  return { staffToken: await issue('staff', permissions), readToken: await issue('reader', ['contacts:read']) };
};

/** Serves the pages for a service that runs already, or for none. */
export const startSite = async (apiUrl: string, pages: string) => {
  const site = await serveSite({ folder: pages, port: 0, replacements: new Map([[writtenApiUrl, apiUrl]]) });
  return { site: { siteUrl: site.origin, apiUrl } satisfies Site, stop: site.close };
};

/** Starts the service and a site with the pages, as `npm start` does with the example site. */
export const startService = async (
  bundles: string,
  pages: string,
  settings: Partial<EnvironmentInput> = {},
  clock?: Clock,
) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'browser-test-'));
  const replacements = new Map<string, string>();
  const site = await serveSite({ folder: pages, port: 0, replacements });
  const inbox = await serveSite({ folder: inboxFolder, port: 0, replacements });
  const host = await startHost({
    dataDir,
    synthesize: async () => {
      const local = { ...defaults, sites: [{ origin: site.origin }], inboxOrigins: [inbox.origin], ...settings };
      const { directory } = createApp({ local }, bundles, { outdir: join(dataDir, 'cdk.out') }).synth();
      return { directory, stackName: stackName('local') };
    },
    port: 0,
    log: () => {},
    ...(clock && { clock }),
  });
  replacements.set(writtenApiUrl, host.baseUrl).set(writtenSiteUrl, site.origin);
  const tokens = await issueTokens(host);
  return {
    site: { siteUrl: site.origin, inboxUrl: inbox.origin, apiUrl: host.baseUrl, dataDir, ...tokens } satisfies Service,
    stop: async () => {
      await site.close();
      await inbox.close();
      await host.close();
      await rm(dataDir, { recursive: true });
    },
  };
};
