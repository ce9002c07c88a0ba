// Runs the whole service on this machine: `npm start`. lib/local/local-settings.ts and server-settings.ts have its settings.
import { misspellings } from '../lib/local/server-settings.ts';
import { runService } from '../lib/local/service.ts';
import { readEnv } from './read-env.ts';

for (const line of misspellings(readEnv())) console.error(line);
await runService(process.env);
