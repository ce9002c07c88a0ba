import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { bundleFunctions } from '../../lib/infrastructure/bundle.ts';
import type { Clock } from '../../lib/local/host/clock.ts';
import { unusedUrl } from '../support/server.ts';
import { collectPages } from './pages.ts';
import { proofBits, room, type Service, type Site, startService, startSite } from './service.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The pages that have a form of ours to copy. */
    readonly pagesToCopy: readonly string[];
    /** As `npm start` is, with the settings of one form. */
    readonly service: Service;
    /** For tests of the inbox alone, whose list other tests would disturb. */
    readonly inbox: Service;
    /** Has triage; for tests of the inbox alone, too. */
    readonly together: Service;
    /** Has room for few contact requests, ever. */
    readonly throttled: Service;
    /** Marks contact requests without a proof of work as spam. */
    readonly guarded: Service;
    /** The form `application` accepts files, and what has no proof of work is marked. */
    readonly applications: Service;
    /** The same pages from an origin that is none of the service's sites. */
    readonly foreign: Site;
    /** The same pages, and nothing where they say that the service is. */
    readonly unreachable: Site;
  }
}

/** A throttle on it never refills. */
const stoppedClock: Clock = { now: () => 0, after: () => () => {} };

/** Everything that the browser meets, started once for the whole run. */
export default async ({ provide }: TestProject) => {
  const folder = await mkdtemp(join(tmpdir(), 'browser-test-bundles-'));
  const bundles = await bundleFunctions(folder);
  const pages = await collectPages();
  const service = await startService(bundles, pages.folder, { forms: { 'without-message': { required: ['email'] } } });
  const inbox = await startService(bundles, pages.folder);
  const together = await startService(bundles, pages.folder, { triage: true });
  const throttled = await startService(
    bundles,
    pages.folder,
    { throttles: { public: { rate: 1, burst: room }, staff: { rate: 100, burst: 100 } } },
    stoppedClock,
  );
  const guarded = await startService(bundles, pages.folder, { spam: { proofOfWork: 'mark', proofBits } });
  const applications = await startService(bundles, pages.folder, {
    files: { scan: false },
    forms: { application: { files: true } },
    spam: { proofOfWork: 'mark', proofBits },
  });
  const foreign = await startSite(service.site.apiUrl, pages.folder);
  const unreachable = await startSite(await unusedUrl(), pages.folder);

  provide('pagesToCopy', pages.toCopy);
  provide('service', service.site);
  provide('inbox', inbox.site);
  provide('together', together.site);
  provide('throttled', throttled.site);
  provide('guarded', guarded.site);
  provide('applications', applications.site);
  provide('foreign', foreign.site);
  provide('unreachable', unreachable.site);
  return async () => {
    for (const { stop } of [service, inbox, together, throttled, guarded, applications, foreign, unreachable])
      await stop();
    for (const made of [folder, pages.folder]) await rm(made, { recursive: true });
  };
};
