// The CDK app with its checks, on bundles that are there already: what bench/synthesis.ts compares with.

import { environments } from '../lib/environments.ts';
import { createCheckedApp } from '../lib/infrastructure/checks.ts';

createCheckedApp(environments, process.env['BUNDLES'] ?? '').synth();
