import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { bundling } from '../../lib/infrastructure/bundle.ts';

/** What `NodejsFunction` of the CDK gives esbuild by default, the SDK bundled: CommonJS that is not minified. */
const defaults = { bundle: true, platform: 'node', target: 'node24', logLevel: 'warning' } satisfies BuildOptions;

/** A source in bench/cold/peers/, and how it is bundled: by default, or as the service's functions are. */
export interface Peer {
  readonly name: string;
  readonly source: string;
  readonly isTuned: boolean;
}

const byDefault = (name: string, source: string): Peer => ({ name, source, isTuned: false });

const tuned = (name: string, source: string): Peer => ({ name, source, isTuned: true });

/** The same work as `contacts/create` does, by others. */
export const peers: readonly Peer[] = [
  byDefault('b', 'bare'),
  byDefault('middy', 'middy'),
  tuned('middy, tuned', 'middy'),
  byDefault('Powertools', 'powertools'),
  byDefault('Hono', 'hono'),
  tuned('Hono, tuned', 'hono'),
  byDefault('Express', 'express'),
  tuned('Express, tuned', 'express'),
  byDefault('floor', 'floor'),
];

/** The file of a peer's bundle. */
export const peerModule = (folder: string, { source, isTuned }: Peer): string =>
  join(folder, 'peers', isTuned ? `${source}.mjs` : `${source}.cjs`);

const installFrameworks = () => {
  const bench = join(import.meta.dirname, '..');
  if (existsSync(join(bench, 'node_modules'))) return;
  execFileSync('npm', ['ci', '--prefix', bench, '--no-audit', '--no-fund'], { stdio: 'ignore' });
};

/** Bundles the peers, once npm has brought what they need. */
export const bundlePeers = async (folder: string): Promise<void> => {
  installFrameworks();
  for (const peer of peers) {
    const { outExtension: _, ...ours } = bundling;
    await build({
      entryPoints: [join(import.meta.dirname, 'peers', `${peer.source}.ts`)],
      outfile: peerModule(folder, peer),
      ...(peer.isTuned ? ours : defaults),
    });
  }
};
