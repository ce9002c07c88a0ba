import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../support/until.ts';

/** Where the ports of this machine that the proxy speaks to are published. */
export interface Upstreams {
  /** By what examples/server/Caddyfile has in its place. */
  readonly ofExample: ReadonlyMap<string, string>;
  /** More sites: the directives by the name. */
  readonly more: Readonly<Record<string, string>>;
}

/** Caddy with the project's Caddyfile, and certificates of a CA of its own. */
export interface Caddy {
  /** The certificate of that CA, for clients. */
  readonly caFile: string;
  /** The files of a site's certificate and its key. */
  readonly certificateOf: (name: string) => { readonly cert: Buffer; readonly key: Buffer };
  readonly stop: () => Promise<void>;
}

const program = process.env['CADDY'] ?? 'caddy';

/** @throws {Error} with what Caddy printed, if it ends */
export const startCaddy = async (
  folder: string,
  ports: { readonly http: number; readonly https: number },
  { ofExample, more }: Upstreams,
  signal: AbortSignal,
): Promise<Caddy> => {
  let example = readFileSync('examples/server/Caddyfile', 'utf8');
  for (const [from, to] of ofExample) {
    if (!example.includes(from)) throw new Error(`The Caddyfile has no ${from}.`);
    example = example.replaceAll(from, to);
  }
  const storage = join(folder, 'caddy');
  const file = join(folder, 'Caddyfile');
  const options = ['admin off', 'local_certs', 'skip_install_trust', `storage file_system ${storage}`];
  const sites = Object.entries(more).map(([name, directives]) => `${name} {\n${directives}\n}\n`);
  writeFileSync(
    file,
    `{\n${[...options, `http_port ${ports.http}`, `https_port ${ports.https}`].join('\n')}\n}\n${example}\n${sites.join('\n')}`,
  );
  const child = spawn(program, ['run', '--config', file, '--adapter', 'caddyfile'], {
    env: { HOME: folder, PATH: process.env['PATH'] },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  // Also when the test ends by an error that nobody handles.
  process.on('exit', () => child.kill());
  let printed = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  const ended = Promise.race([once(child, 'exit'), once(child, 'error')]);
  const failed = ended.then(() => {
    throw new Error(`Caddy ended: ${printed}`);
  });
  failed.catch(() => {});
  const fileOf = (name: string, kind: string) => join(storage, 'certificates', 'local', name, `${name}.${kind}`);
  const certificateOf: Caddy['certificateOf'] = (name) => ({
    cert: readFileSync(fileOf(name, 'crt')),
    key: readFileSync(fileOf(name, 'key')),
  });
  const caFile = join(storage, 'pki', 'authorities', 'local', 'root.crt');
  const isReady = () => {
    try {
      readFileSync(caFile);
      for (const name of Object.keys(more)) certificateOf(name);
      return true;
    } catch {
      return undefined;
    }
  };
  await Promise.race([until('the certificates of Caddy', isReady, signal), failed]);
  return {
    caFile,
    certificateOf,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
};
