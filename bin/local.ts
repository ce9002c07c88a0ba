// The whole service on this machine: what `npm start` runs. Its settings stand in lib/local/settings.ts.
import { runService } from '../lib/local/service.ts';

await runService(process.env);
