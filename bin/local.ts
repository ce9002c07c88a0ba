// Runs the whole service on this machine. lib/local/local-settings.ts has its settings.
import { runService } from '../lib/local/service.ts';

await runService(process.env);
