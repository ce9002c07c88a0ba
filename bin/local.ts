// The whole service on this machine: what `npm start` runs. Its settings stand in lib/local/settings.ts.
import { ownFolder } from '../lib/local/data-dir.ts';
import { isAssemblyKept } from '../lib/local/kept-assembly.ts';
import { assemblyDirectory, startSynthesizer } from '../lib/local/synthesize.ts';

// The CDK loads beside all else, unless an earlier start has left an assembly.
const directory = assemblyDirectory(process.env['DATA_DIR'] ?? ownFolder);
const synthesizer = isAssemblyKept(directory) ? undefined : startSynthesizer();
const { runService } = await import('../lib/local/service.ts');
await runService(process.env, synthesizer);
