import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { ContactService, type ContactServiceProps } from './contact-service.ts';
import { fullNameOf } from './stack-name.ts';
import { ownTagsOf } from './tag-settings.ts';

export interface ServiceStackProps extends StackProps, ContactServiceProps {}

/** A stack with the service in one environment. */
export class ServiceStack extends Stack {
  readonly environmentName: string;

  constructor(scope: Construct, id: string, { environment, bundles, ...props }: ServiceStackProps) {
    const { account, region, retainData, tags } = environment;
    const { deletionProtection = retainData, ...stackProps } = props;
    super(scope, id, {
      description: `Contact Request and Campaign Service, ${fullNameOf(environment)}`,
      env: { ...(account && { account }), ...(region && { region }) },
      // Of the stack; the tables have a protection of their own.
      terminationProtection: deletionProtection,
      tags: { ...tags, ...ownTagsOf(environment) },
      ...stackProps,
    });
    this.environmentName = environment.name;
    // The CDK leaves `Default` out of logical ids: what was deployed before there was the construct stays what it is.
    new ContactService(this, 'Default', { environment, bundles, deletionProtection });
    if (retainData && !deletionProtection) {
      // What a deployment says last: a warning of its synthesis is far up by then.
      new CfnOutput(this, 'NextStep', { value: 'Deploy once more: then the stack and its tables resist deletion.' });
    }
  }
}
