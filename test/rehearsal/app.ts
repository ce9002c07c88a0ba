// The CDK app as the emulator takes it: the service's own. The command line says which version, and where its webhooks are.
import { join } from 'node:path';
import { CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import * as v from 'valibot';
import { createApp } from '../../lib/infrastructure/app.ts';
import { bundleFunctions } from '../../lib/infrastructure/bundle.ts';
import { cacheDir } from './command.ts';
import { versionNames, versionsFor } from './versions.ts';

const [version, standard, slack] = v.parse(
  v.tuple([v.picklist(versionNames), v.string(), v.string()]),
  process.argv.slice(2),
);
const app = createApp(versionsFor({ standard, slack })[version], await bundleFunctions(join(cacheDir, 'functions')));
for (const node of app.node.findAll()) {
  // "Template format error: Unrecognized resource types: [AWS::WAFv2::WebACLAssociation]"
  if (CfnWebACLAssociation.isCfnWebACLAssociation(node)) node.node.scope?.node.tryRemoveChild(node.node.id);
}
app.synth();
