import { Names } from 'aws-cdk-lib';
import type { Stage } from 'aws-cdk-lib/aws-apigateway';
import { CfnSamplingRule } from 'aws-cdk-lib/aws-xray';
import { Construct } from 'constructs';
import { tracedPart } from './traced-part.ts';

export interface SamplingProps {
  readonly stage: Stage;
}

/**
 * How many requests are traced. X-Ray's own rule takes the first of each second, which are nearly all of a contact form's,
 * at five times the price of a write (docs/decisions/0035). The gateway decides, and Lambda keeps to what it decided:
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-configuring-xray-sampling-rules.html
 */
export class Sampling extends Construct {
  constructor(scope: Construct, id: string, { stage }: SamplingProps) {
    super(scope, id);
    new CfnSamplingRule(this, 'Rule', {
      samplingRule: {
        // Of the account and region, where other environments have theirs.
        ruleName: Names.uniqueResourceName(this, { maxLength: 32, separator: '-', allowedSpecialCharacters: '-' }),
        resourceArn: stage.stageArn,
        // A reservoir would be so many of each second.
        reservoirSize: 0,
        fixedRate: tracedPart,
        // After those of an operator, who may want to see more for a while.
        priority: 9_000,
        serviceType: 'AWS::ApiGateway::Stage',
        serviceName: '*',
        host: '*',
        httpMethod: '*',
        urlPath: '*',
        version: 1,
      },
    });
  }
}
