import { Stack } from 'aws-cdk-lib';
import type { Stage } from 'aws-cdk-lib/aws-apigateway';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import { publicEndpoints } from '../endpoints.ts';

/** How often one address may post in five minutes: far more than people do, also several behind one address. */
const postsPerAddress = 100;

/** A request to a public endpoint: before its path stands the stage, or nothing on a custom domain. */
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

/** Requests themselves are not sampled: their headers hold tokens. */
const visibility = (metricName: string): CfnWebACL.VisibilityConfigProperty => ({
  metricName,
  cloudWatchMetricsEnabled: true,
  sampledRequestsEnabled: false,
});

/**
 * The rule groups that AWS keeps, with those of their rules that inspect the body. A message is free text, up to a body
 * of 64 KiB: it may quote markup, paths, addresses and `${jndi:…}`, and is stored and shown as text. So these rules only
 * count, and WAF's own limit (16 KB of a body are looked at) does no harm.
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
 * A rule group that AWS keeps; what it says of bodies only counts. AWS ignores in silence an override whose name it does
 * not know: https://docs.aws.amazon.com/waf/latest/APIReference/API_RuleActionOverride.html
 */
const managed = (name: keyof typeof bodyRules): Omit<CfnWebACL.RuleProperty, 'priority'> => ({
  name,
  statement: {
    managedRuleGroupStatement: {
      vendorName: 'AWS',
      name: `AWSManagedRules${name}`,
      ruleActionOverrides: bodyRules[name].map((rule) => ({ name: rule, actionToUse: { count: {} } })),
    },
  },
  overrideAction: { none: {} },
  visibilityConfig: visibility(name),
});

export interface WebAclProps {
  readonly stage: Stage;
}

/**
 * The web ACL before the API. What it blocks is answered by the gateway response `WAF_FILTERED`, a 403. A foreign origin is
 * the function's to refuse: it logs which, and has a page for a plain form's visitor.
 * Rule groups: https://docs.aws.amazon.com/waf/latest/developerguide/aws-managed-rule-groups-list.html
 */
export class WebAcl extends Construct {
  /** By which CloudWatch knows it. */
  readonly metricName: string;

  constructor(scope: Construct, id: string, { stage }: WebAclProps) {
    super(scope, id);
    const rules = [
      {
        name: 'PostsPerAddress',
        statement: {
          rateBasedStatement: { aggregateKeyType: 'IP', limit: postsPerAddress, scopeDownStatement: isPublic },
        },
        action: { block: {} },
        visibilityConfig: visibility('PostsPerAddress'),
      },
      managed('AmazonIpReputationList'),
      managed('KnownBadInputsRuleSet'),
      managed('CommonRuleSet'),
    ];
    // Several in one account and region are told apart by it.
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
