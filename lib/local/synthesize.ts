import { join } from 'node:path';
import * as v from 'valibot';
import type { EnvironmentInput } from '../infrastructure/settings.ts';
import type { Assembly } from './host/template/template.ts';
import { assemblyKey, digestSources, findAssembly, forgetAssembly, keepAssembly } from './kept-assembly.ts';
import { type Synthesizer, startSynthesizer } from './synthesizer.ts';

/**
 * Synthesizes the service as an environment of its own, `local`, below the data directory, which somebody holds. What an
 * earlier start has left there is taken as long as all that it was made of is the same.
 * @param synthesizer one that was started before
 * @throws {Error} which setting is wrong
 */
export const synthesizeLocal = async (
  dataDir: string,
  environment: EnvironmentInput,
  synthesizer?: Synthesizer,
): Promise<Assembly> => {
  const directory = join(dataDir, 'cdk.out');
  const sourcesDigest = synthesizer ? synthesizer.sourcesDigest : digestSources();
  const key = sourcesDigest === undefined ? undefined : assemblyKey(environment, sourcesDigest);
  const kept = key === undefined ? undefined : await findAssembly(dataDir, key, directory);
  if (kept) {
    await synthesizer?.end();
    return kept;
  }
  await forgetAssembly(dataDir);
  const { synthesize } = synthesizer ?? startSynthesizer(sourcesDigest);
  const assembly = { directory, stackName: v.parse(v.string(), await synthesize({ directory, environment })) };
  // Unless somebody has saved a source meanwhile.
  if (key !== undefined && sourcesDigest === digestSources()) await keepAssembly(dataDir, key, assembly);
  return assembly;
};
