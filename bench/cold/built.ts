import { join } from 'node:path';
import { bundleFunctions } from '../../lib/infrastructure/bundle.ts';
import { apiHandlers } from '../../lib/infrastructure/endpoints.ts';
import { bundlePeers, type Peer, peerModule } from './bundle-peers.ts';
import { lambdaVariables, ownVariables } from './variables.ts';

/** A function that can be started. */
export interface Built {
  readonly name: string;
  /** Its module, in a folder that holds nothing else. */
  readonly module: string;
  readonly variables: Readonly<Record<string, string>>;
}

/**
 * Bundles peers, and the service's functions.
 * @param endpoint of the store
 */
export const buildAll = async (
  folder: string,
  endpoint: string,
  peers: readonly Peer[],
): Promise<{ readonly peers: readonly Built[]; readonly functions: readonly Built[] }> => {
  const lambda = lambdaVariables(endpoint);
  await bundlePeers(folder, peers);
  const bundles = await bundleFunctions(join(folder, 'functions'));
  return {
    peers: peers.map((peer) => ({
      name: peer.name,
      module: peerModule(folder, peer),
      variables: { ...lambda, CONTACTS_TABLE: 'contacts' },
    })),
    functions: apiHandlers.map((handler) => ({
      name: handler,
      module: join(bundles, handler, 'index.mjs'),
      variables: { ...lambda, ...ownVariables(handler) },
    })),
  };
};
