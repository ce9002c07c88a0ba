import { Stack } from 'aws-cdk-lib';
import type { Stage } from 'aws-cdk-lib/aws-apigateway';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import { publicEndpoints } from './endpoints.ts';

/** Submissions of one address in five minutes: far more than an office behind one address sends. */
const postsPerAddress = 100;

/**
 * Requests of any kind of one address in five minutes: several inboxes and scripts behind one address send fewer. Throttles do
 * not tell addresses apart, so one address alone could use up those of the staff endpoints.
 */
const requestsPerAddress = 2_000;

/** Requests to a public endpoint. Their path begins with the stage, except on a custom domain. */
const isPublic: CfnWebACL.StatementProperty = {
  andStatement: {
    statements: [
      {
        regexMatchStatement: {
          fieldToMatch: { method: {} },
          regexString: `^(${publicEndpoints.map(({ method }) => method).join('|')})$`,
          textTransformations: [{ priority: 0, type: 'NONE' }],
        },
      },
      {
        regexMatchStatement: {
          fieldToMatch: { uriPath: {} },
          regexString: `(${publicEndpoints.map(({ path }) => path).join('|')})/*$`,
          textTransformations: [{ priority: 0, type: 'URL_DECODE' }],
        },
      },
    ],
  },
};

/** Requests are not sampled: their headers hold tokens. */
const visibility = (metricName: string): CfnWebACL.VisibilityConfigProperty => ({
  metricName,
  cloudWatchMetricsEnabled: true,
  sampledRequestsEnabled: false,
});

/**
 * AWS's rule groups, each with its rules that inspect the body. These rules only count: a message is free text, and may quote
 * markup, paths, addresses and `${jndi:…}`.
 * https://docs.aws.amazon.com/waf/latest/developerguide/aws-managed-rule-groups-baseline.html
 * https://docs.aws.amazon.com/waf/latest/developerguide/aws-managed-rule-groups-ip-rep.html
 */
const bodyRules = {
  AmazonIpReputationList: [],
  KnownBadInputsRuleSet: ['JavaDeserializationRCE_BODY', 'Log4JRCE_BODY', 'ReactJSRCE_BODY'],
  CommonRuleSet: [
    'SizeRestrictions_BODY',
    'EC2MetaDataSSRF_BODY',
    'GenericLFI_BODY',
    'GenericRFI_BODY',
    'CrossSiteScripting_BODY',
  ],
} as const satisfies Record<string, readonly `${string}_BODY`[]>;

/**
 * One of AWS's rule groups; its rules about bodies only count. AWS silently ignores an override with an unknown name:
 * https://docs.aws.amazon.com/waf/latest/APIReference/API_RuleActionOverride.html
 */
const managed = (name: keyof typeof bodyRules): Omit<CfnWebACL.RuleProperty, 'priority'> => {
  const overrides = bodyRules[name].map((rule) => ({ name: rule, actionToUse: { count: {} } }));
  return {
    name,
    statement: {
      managedRuleGroupStatement: {
        vendorName: 'AWS',
        name: `AWSManagedRules${name}`,
        // A list must have at least one:
        // https://docs.aws.amazon.com/waf/latest/APIReference/API_ManagedRuleGroupStatement.html
        ...(overrides.length > 0 && { ruleActionOverrides: overrides }),
      },
    },
    overrideAction: { none: {} },
    visibilityConfig: visibility(name),
  };
};

/**
 * Blocks an address above a limit, which counts the last five minutes.
 * https://docs.aws.amazon.com/waf/latest/developerguide/waf-rule-statement-type-rate-based-high-level-settings.html
 */
const limited = (
  name: string,
  limit: number,
  scopeDownStatement?: CfnWebACL.StatementProperty,
): Omit<CfnWebACL.RuleProperty, 'priority'> => ({
  name,
  statement: {
    rateBasedStatement: {
      aggregateKeyType: 'IP',
      evaluationWindowSec: 300,
      limit,
      ...(scopeDownStatement && { scopeDownStatement }),
    },
  },
  action: { block: {} },
  visibilityConfig: visibility(name),
});

/**
 * The web ACL in front of the API. Blocked requests get the gateway response `WAF_FILTERED` (403). Foreign origins are left to
 * the function, which logs them and has a page for visitors.
 * Rule groups: https://docs.aws.amazon.com/waf/latest/developerguide/aws-managed-rule-groups-list.html
 */
export class WebAcl extends Construct {
  /** The dimension `WebACL` of its metrics. */
  readonly metricName: string;

  constructor(scope: Construct, id: string, stage: Stage) {
    super(scope, id);
    const rules = [
      limited('PostsPerAddress', postsPerAddress, isPublic),
      limited('RequestsPerAddress', requestsPerAddress),
      managed('AmazonIpReputationList'),
      managed('KnownBadInputsRuleSet'),
      managed('CommonRuleSet'),
    ];
    this.metricName = Stack.of(this).stackName;
    const acl = new CfnWebACL(this, 'Acl', {
      scope: 'REGIONAL',
      defaultAction: { allow: {} },
      rules: rules.map((rule, priority) => ({ ...rule, priority })),
      visibilityConfig: visibility(this.metricName),
    });
    new CfnWebACLAssociation(this, 'Association', { webAclArn: acl.attrArn, resourceArn: stage.stageArn });
  }
}
