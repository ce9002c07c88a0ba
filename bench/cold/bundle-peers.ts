import { join } from 'node:path';
import { build } from 'esbuild';

/** What stands beside the service's functions, by its file in bench/cold/peers/. */
export const peers = {
  b: 'bare',
  floor: 'floor',
} as const;

export type Peer = keyof typeof peers;

/** A peer's bundle below the folder of all. */
export const peerModule = (folder: string, peer: Peer) => join(folder, 'peers', peer, 'index.cjs');

/** Bundles a peer as `NodejsFunction` does by default, with the SDK: CommonJS, not minified. */
const bundlePeer = (folder: string, peer: Peer) =>
  build({
    entryPoints: [join(import.meta.dirname, 'peers', `${peers[peer]}.ts`)],
    outfile: peerModule(folder, peer),
    bundle: true,
    platform: 'node',
    target: 'node24',
    logLevel: 'warning',
  });

export const bundlePeers = async (folder: string): Promise<void> => {
  for (const peer of Object.keys(peers) as Peer[]) await bundlePeer(folder, peer);
};
