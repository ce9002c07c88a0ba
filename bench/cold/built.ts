import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleFunctions } from '../../lib/infrastructure/bundle.ts';
import { addCompileCaches } from '../../lib/infrastructure/compile-caches.ts';
import { apiHandlers, bundleDir } from '../../lib/infrastructure/handlers.ts';
import { bundlePeers, type Peer, peerModule } from './bundle-peers.ts';
import { lambdaVariables, ownVariables } from './variables.ts';

/** A function that can be started. */
export interface Built {
  readonly name: string;
  /** Its module, in a folder that holds nothing else. */
  readonly module: string;
  readonly variables: Readonly<Record<string, string>>;
}

/** What a machine deploys that is of another kind than the functions': without what V8 has compiled (docs/decisions/0042). */
const uncachedCreate = 'contacts/create, no cache';

/** Adds the compile caches. @returns a copy of the bundles as they were before */
const cachedApart = async (folder: string, bundles: string): Promise<string> => {
  const uncached = join(folder, 'uncached');
  await cp(bundles, uncached, { recursive: true });
  await addCompileCaches(bundles);
  return uncached;
};

/**
 * Bundles peers, and the service's functions.
 * @param endpoint of the store
 */
export const buildAll = async (
  folder: string,
  endpoint: string,
  peers: readonly Peer[],
): Promise<{ readonly peers: readonly Built[]; readonly functions: readonly Built[]; readonly uncached: Built }> => {
  const lambda = lambdaVariables(endpoint);
  await bundlePeers(folder, peers);
  const bundles = await bundleFunctions(join(folder, 'functions'));
  const uncached = await cachedApart(folder, bundles);
  const own = (name: string, handler: string, from: string): Built => ({
    name,
    module: join(bundleDir(from, handler), 'index.mjs'),
    variables: { ...lambda, ...ownVariables(handler) },
  });
  return {
    peers: peers.map((peer) => ({
      name: peer.name,
      module: peerModule(folder, peer),
      variables: { ...lambda, CONTACTS_TABLE: 'contacts' },
    })),
    functions: apiHandlers.map((handler) => own(handler, handler, bundles)),
    uncached: own(uncachedCreate, 'contacts/create', uncached),
  };
};
