import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { bundle } from '../../lib/infrastructure/bundle.ts';

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

/** A handler on the SDK alone. */
export const bare = byDefault('b', 'bare');

/** The same work as `create-contact` does, by others. */
export const peers: readonly Peer[] = [
  bare,
  byDefault('middy', 'middy'),
  tuned('middy, tuned', 'middy'),
  byDefault('Powertools', 'powertools'),
  byDefault('Hono', 'hono'),
  tuned('Hono, tuned', 'hono'),
  byDefault('Express', 'express'),
  tuned('Express, tuned', 'express'),
  byDefault('floor', 'floor'),
];

/** The file of a peer's bundle, in a folder of its own. */
export const peerModule = (folder: string, { source, isTuned }: Peer): string =>
  join(folder, 'peers', ...(isTuned ? [`${source}-tuned`, 'index.mjs'] : [source, 'index.cjs']));

const bench = join(import.meta.dirname, '..');

const timeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

const installFrameworks = () => {
  const installed = timeOf(join(bench, 'node_modules', '.package-lock.json'));
  if (installed > timeOf(join(bench, 'package-lock.json'))) return;
  execFileSync('npm', ['ci', '--prefix', bench, '--no-audit', '--no-fund'], { stdio: 'ignore' });
};

/** Bundles peers; when one of them has a framework, npm brings it first. */
export const bundlePeers = async (folder: string, chosen: readonly Peer[]): Promise<void> => {
  if (chosen.some((peer) => peer !== bare)) {
    installFrameworks();
    // Only now: what they import was not there for the project's own check.
    execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '--project', bench], { stdio: 'inherit' });
  }
  for (const peer of chosen) {
    const source = join(import.meta.dirname, 'peers', `${peer.source}.ts`);
    const module = peerModule(folder, peer);
    if (peer.isTuned) await bundle(dirname(module), new Map([['.', source]]));
    else await build({ entryPoints: [source], outfile: module, ...defaults });
  }
};
