// Must be loaded before dynalite, since it changes dynalite's responses.
import '../../lib/local/host/store/engine.ts';
import { Server } from 'node:http';
import { createRequire } from 'node:module';
import * as v from 'valibot';

/** dynalite is CommonJS without types. */
const dynalite = v.parse(v.function(), createRequire(import.meta.url)('dynalite'));

/** The server of a DynamoDB in memory. */
export const createDynalite = (): Server => v.parse(v.instance(Server), dynalite({ createTableMs: 0 }));
