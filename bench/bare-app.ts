// The CDK app with its checks, on bundles that are there already: what bench/synthesis.ts compares with.

import { createCheckedApp } from '../lib/infrastructure/checks.ts';
import { environments } from '../test/support/environments.ts';

createCheckedApp(environments, process.env['BUNDLES'] ?? '').synth();
