// The CDK app: what `npx cdk` synthesizes and deploys.
import { join } from 'node:path';
import { createApp } from '../lib/app.ts';
import { bundleFunctions } from '../lib/bundle.ts';
import { environments } from '../lib/environments.ts';

createApp(environments, await bundleFunctions(join(import.meta.dirname, '..', 'cdk.out', 'functions'))).synth();
