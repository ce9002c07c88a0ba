// The CDK app as the emulator takes it: the service's own, without the checks.
import { join } from 'node:path';
import { env } from 'node:process';
import { createApp } from '../../lib/infrastructure/app.ts';
import { bundleFunctions } from '../../lib/infrastructure/bundle.ts';
import { createGuardedApp } from '../../lib/infrastructure/guard.ts';
import { loadSettings } from '../../lib/shared/settings-file.ts';
import { cacheDir } from './settings.ts';

const { environments } = await loadSettings(env);
const bundle = () => bundleFunctions(join(cacheDir, 'functions'));
(await createGuardedApp(createApp, environments, bundle, env)).synth();
