// The CDK app as the emulator takes it: the service's own, with the settings of the file that CRCS_SETTINGS names.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { env } from 'node:process';
import * as v from 'valibot';
import { createApp } from '../../lib/infrastructure/app.ts';
import { bundleFunctions } from '../../lib/infrastructure/bundle.ts';
import type { EnvironmentInput } from '../../lib/infrastructure/settings.ts';
import { cacheDir } from './command.ts';

// createApp checks each.
const environments = v.record(
  v.string(),
  v.custom<EnvironmentInput>((input) => typeof input === 'object'),
);
const settings = v.parse(environments, JSON.parse(await readFile(env['CRCS_SETTINGS'] ?? '', 'utf8')));
createApp(settings, await bundleFunctions(join(cacheDir, 'functions'))).synth();
