import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, posix } from 'node:path';
import { listen } from './host/listen.ts';

const contentTypes = new Map([
  ['.css', 'text/css; charset=utf-8'],
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
  ['.txt', 'text/plain; charset=utf-8'],
]);

/** A status, and a body of JSON. */
export interface Health {
  readonly status: number;
  readonly body: object;
}

interface SiteOptions {
  /** @defaultValue no files are served */
  readonly folder?: string | undefined;
  /** 0 for any port that is free. */
  readonly port: number;
  /** Texts to replace in pages and scripts. Read again for each request. */
  readonly replacements?: ReadonlyMap<string, string>;
  /** The address to listen on. @defaultValue that of this machine alone */
  readonly host?: string;
  /** Headers of every response. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What /health responds. @defaultValue there is no such path */
  readonly health?: () => Health;
}

/** The file of a URL, always below the folder. On Windows, `\` separates folders too. */
const fileOf = (folder: string, url: string): string => {
  const path = posix.normalize(decodeURIComponent(new URL(url, 'http://localhost').pathname).replaceAll('\\', '/'));
  return join(folder, path.endsWith('/') ? `${path}index.html` : path);
};

/**
 * Serves a folder of static files, by default on localhost.
 * @throws {Error} one line if the port is taken
 */
export const serveSite = async ({
  folder,
  port,
  host,
  replacements = new Map(),
  headers = {},
  health,
}: SiteOptions) => {
  const read = async (url: string) => {
    if (folder === undefined) throw new Error('No folder is served');
    const file = fileOf(folder, url);
    const type = contentTypes.get(extname(file));
    if (!type) throw new Error(`${file} has a type that is not served`);
    const content = await readFile(file);
    if (!/html|javascript/.test(type)) return { type, content };
    let text = content.toString();
    for (const [from, to] of replacements) text = text.replaceAll(from, to);
    return { type, content: text };
  };

  const server = createServer(async ({ url = '/' }, response) => {
    if (health && url === '/health') {
      const { status, body } = health();
      response.writeHead(status, { ...headers, 'Content-Type': 'application/json' }).end(JSON.stringify(body));
      return;
    }
    try {
      const { type, content } = await read(url);
      // A reload shows an edited page. With `no-store`, Firefox would empty a form when its visitor goes back to it.
      response.writeHead(200, { 'Cache-Control': 'no-cache', ...headers, 'Content-Type': type }).end(content);
    } catch {
      response.writeHead(404, { ...headers, 'Content-Type': 'text/plain; charset=utf-8' }).end('Not Found\n');
    }
  });
  const listening = await listen(server, port, host);
  return { origin: `http://localhost:${listening.port}`, port: listening.port, close: listening.stop };
};
