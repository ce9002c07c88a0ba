import { rm } from 'node:fs/promises';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { stackName } from '../infrastructure/stack-name.ts';
import type { Assembly } from './host/template/template.ts';
import type { LocalSettings } from './settings.ts';

/** API Gateway's own limit for an account, in requests a second. */
const accountThrottle = { rate: 10_000, burst: 5_000 };

/**
 * Synthesizes the service as an environment of its own, `local`, below the data directory.
 * @param siteOrigins the origins of the sites whose forms post here
 * @throws {Error} which setting is wrong
 */
export const synthesizeLocal = async (
  { DATA_DIR, THANK_YOU_URL }: Pick<LocalSettings, 'DATA_DIR' | 'THANK_YOU_URL'>,
  siteOrigins: string[],
): Promise<Assembly> => {
  // Loading the CDK takes 40 % less from the second start on.
  enableCompileCache(join(DATA_DIR, 'compile-cache'));
  const outdir = join(DATA_DIR, 'cdk.out');
  await rm(outdir, { recursive: true, force: true });
  // esbuild is a process of its own: it bundles while this one loads the CDK, which is most of what a start takes.
  const { bundleFunctions } = await import('../infrastructure/bundle.ts');
  const [bundles, { createApp }] = await Promise.all([
    bundleFunctions(join(DATA_DIR, 'functions')),
    import('../infrastructure/app.ts'),
  ]);
  const app = createApp(
    {
      local: {
        siteOrigins,
        ...(THANK_YOU_URL && { thankYouUrl: THANK_YOU_URL }),
        throttles: { public: accountThrottle, staff: accountThrottle },
        retainData: false,
        logRetentionDays: 1,
      },
    },
    bundles,
    { outdir },
  );
  return { directory: app.synth().directory, stackName: stackName('local') };
};
