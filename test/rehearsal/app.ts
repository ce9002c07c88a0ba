// The CDK app as the emulator takes it: the service's own. `first` or `changed` on the command line says which version.
import { join } from 'node:path';
import { CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import * as v from 'valibot';
import { createApp } from '../../lib/infrastructure/app.ts';
import { bundleFunctions } from '../../lib/infrastructure/bundle.ts';
import { cacheDir } from './command.ts';
import { versions } from './versions.ts';

const version = v.parse(v.picklist(['first', 'changed']), process.argv[2]);
const app = createApp(versions[version], await bundleFunctions(join(cacheDir, 'functions')));
for (const node of app.node.findAll()) {
  // "Template format error: Unrecognized resource types: [AWS::WAFv2::WebACLAssociation]"
  if (CfnWebACLAssociation.isCfnWebACLAssociation(node)) node.node.scope?.node.tryRemoveChild(node.node.id);
}
app.synth();
