// The CDK app with its checks, on bundles that are there already: what bench/synthesis.ts compares with.
import { createCheckedApp } from '../lib/checks.ts';
import { environments } from '../lib/environments.ts';

createCheckedApp(environments, process.env['BUNDLES'] ?? '').synth();
