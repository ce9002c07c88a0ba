// The CDK app on bundles that are there already: what bench/synthesis.ts compares with.
import { createApp } from '../lib/app.ts';
import { environments } from '../lib/environments.ts';

createApp(environments, process.env['BUNDLES'] ?? '').synth();
