// The whole service on this machine: what `npm start` runs. Its settings stand in lib/local/settings.ts.
import { ownFolder } from '../lib/local/data-dir.ts';
import { isAssemblyKept } from '../lib/local/kept-assembly.ts';
import { startSynthesizer } from '../lib/local/synthesize.ts';

// What synthesizes loads beside all else, unless an earlier start seems to have left what it would make.
const synthesizer = isAssemblyKept(process.env['DATA_DIR'] ?? ownFolder) ? undefined : startSynthesizer();
const { runService } = await import('../lib/local/service.ts');
await runService(process.env, synthesizer);
