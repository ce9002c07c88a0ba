import { randomUUID } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { type RequestListener, request } from 'node:http';
import { dirname, join } from 'node:path';
import { backup } from 'node:sqlite';
import * as v from 'valibot';
import { signedHeaders } from '../signature-guard.ts';
import type { StoreAddress } from './announcement.ts';
import type { Database } from './database.ts';

/** An operation of the store that DynamoDB lacks. */
const operation = 'LocalStore.Copy';

const copyName = /^copy-[\da-f-]{36}\.db$/;

/** Whether a file of the data directory is a copy of the store, which its reader removes. */
export const isCopy = (name: string): boolean => copyName.test(name);

/** A killed reader leaves its copy, in which are people whom staff may erase later. */
export const removeCopies = (file: string): void => {
  const folder = dirname(file);
  for (const name of readdirSync(folder).filter(isCopy)) rmSync(join(folder, name));
};

/** Pages between which other requests take their turn. */
const rate = 200;

const copied = v.union([v.object({ copy: v.string() }), v.object({ message: v.string() })]);

type Copied = v.InferOutput<typeof copied>;

/**
 * Serves the operation, and leaves other requests to `handle`. A copy has every write that was acknowledged before the request.
 * SQLite takes the writes meanwhile into the copy, too, because they come by the same connection.
 */
export const serveCopies =
  (file: string, { sql }: Database, handle: RequestListener): RequestListener =>
  async (request, response) => {
    if (request.headers['x-amz-target'] !== operation) return handle(request, response);
    const copy = join(dirname(file), `copy-${randomUUID()}.db`);
    const respond = (status: number, body: Copied) =>
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    try {
      await backup(sql, copy, { rate });
      respond(200, { copy });
    } catch (error) {
      rmSync(copy, { force: true });
      respond(500, { message: error instanceof Error ? error.message : String(error) });
    }
  };

/**
 * Asks a store for a copy of its file, whether another process serves it or this one.
 * @returns the copy, which the caller removes
 * @throws {Error} one line
 */
export const askForCopy = async ({ endpoint, ...credentials }: StoreAddress): Promise<string> => {
  const text = await new Promise<string>((resolve, reject) => {
    const outgoing = request(endpoint, {
      // Node's global agent may go through a proxy.
      agent: false,
      headers: { ...signedHeaders(endpoint, 'dynamodb', credentials), 'X-Amz-Target': operation },
    });
    outgoing.on('error', reject);
    outgoing.on('response', (incoming) => {
      incoming.toArray().then((chunks) => resolve(Buffer.concat(chunks).toString()), reject);
    });
    outgoing.end();
  });
  const result = v.safeParse(v.pipe(v.string(), v.parseJson(), copied), text);
  if (!result.success) throw new Error('The service is of another version: start it again, then try again.');
  if ('copy' in result.output) return result.output.copy;
  throw new Error(`The store cannot be copied: ${result.output.message}`);
};
