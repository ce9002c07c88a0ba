// Runs the whole service on this machine: `npm start`. lib/local/local-settings.ts has its settings.
import { runService } from '../lib/local/service.ts';
import { readEnv } from './read-env.ts';

readEnv();
await runService(process.env);
