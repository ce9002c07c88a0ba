// First of all: it changes how dynalite answers, and must be loaded before it.
import '../../lib/local/host/store/engine.ts';
import { Server } from 'node:http';
import { createRequire } from 'node:module';
import * as v from 'valibot';

/** dynalite is CommonJS without types: what it exports is checked here, once. */
const dynalite = v.parse(v.function(), createRequire(import.meta.url)('dynalite'));

/** The server of a DynamoDB in memory. */
export const createDynalite = (): Server => v.parse(v.instance(Server), dynalite({ createTableMs: 0 }));
