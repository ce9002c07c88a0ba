import { expect, test } from 'vitest';
import { bare, full, type Resources, resourcesOf, synthesize, textOf } from './synthesize.ts';

const template = synthesize({
  bare,
  full,
});

const propertiesOf = (environment: string, type: string) =>
  Object.values(resourcesOf(template(environment), `AWS::WAFv2::${type}`)).map(({ Properties }) => Properties);

const ruleOf = (environment: string, name: string) => {
  const [acl] = propertiesOf(environment, 'WebACL');
  return acl.Rules.find(({ Name }: { Name: string }) => Name === name);
};

test('an environment has a web ACL on its stage if the settings have webAcl', () => {
  expect(propertiesOf('bare', 'WebACL')).toEqual([]);
  expect(propertiesOf('full', 'WebACL')).toEqual([
    expect.objectContaining({ Scope: 'REGIONAL', DefaultAction: { Allow: {} } }),
  ]);
  const [association] = propertiesOf('full', 'WebACLAssociation');
  expect(textOf(association.WebACLArn)).toBe('WebAcl.Arn');
  expect(textOf(association.ResourceArn)).toMatch(/\/restapis\/ApiRestApi\/stages\/ApiRestApiDeploymentStagefull$/);
});

test.each([
  ['POST', '/full/api/v1/contact', true],
  ['POST', '/api/v1/contact', true],
  ['POST', '/api/v1/contact/', true],
  ['POST', '/api/v1/c%6Fntact', true],
  ['OPTIONS', '/api/v1/contact', false],
  ['GET', '/api/v1/contact', false],
  ['GET', '/v1/campaigns', false],
  ['POST', '/api/v1/contact/x', false],
])('limits the requests of one address, for %s %s: %s', (method, path, limited) => {
  const { Action, Statement } = ruleOf('full', 'PostsPerAddress');
  const { ScopeDownStatement, ...rate } = Statement.RateBasedStatement;
  expect(Action).toEqual({ Block: {} });
  expect(rate).toEqual({ AggregateKeyType: 'IP', Limit: 100 });
  const [byMethod, byPath] = ScopeDownStatement.AndStatement.Statements.map(
    ({ RegexMatchStatement }: Resources[string]) => RegexMatchStatement,
  );
  expect([byMethod.FieldToMatch, byPath.FieldToMatch]).toEqual([{ Method: {} }, { UriPath: {} }]);
  const isMatched =
    new RegExp(byMethod.RegexString).test(method) && new RegExp(byPath.RegexString).test(decodeURIComponent(path));
  expect(isMatched).toBe(limited);
});

test('leaves foreign origins to the function, which logs them', () => {
  const [acl] = propertiesOf('full', 'WebACL');
  expect(JSON.stringify(acl)).not.toMatch(/origin/i);
});

test('the rule groups of AWS block, except their rules about bodies: a message may say anything', () => {
  const [acl] = propertiesOf('full', 'WebACL');
  const groups = acl.Rules.flatMap(({ OverrideAction, Statement }: Resources[string]) => {
    if (!Statement.ManagedRuleGroupStatement) return [];
    expect(OverrideAction).toEqual({ None: {} });
    const { VendorName, Name, RuleActionOverrides } = Statement.ManagedRuleGroupStatement;
    const counted = RuleActionOverrides.map(({ Name: rule, ActionToUse }: Record<string, unknown>) => {
      expect(ActionToUse).toEqual({ Count: {} });
      return rule;
    });
    return [[`${VendorName} ${Name}`, counted]];
  });
  // If you add a group, look for its rules about bodies in AWS's list.
  // https://docs.aws.amazon.com/waf/latest/developerguide/aws-managed-rule-groups-list.html
  expect(Object.fromEntries(groups)).toEqual({
    'AWS AWSManagedRulesAmazonIpReputationList': [],
    'AWS AWSManagedRulesKnownBadInputsRuleSet': ['JavaDeserializationRCE_BODY', 'Log4JRCE_BODY', 'ReactJSRCE_BODY'],
    'AWS AWSManagedRulesCommonRuleSet': [
      'SizeRestrictions_BODY',
      'EC2MetaDataSSRF_BODY',
      'GenericLFI_BODY',
      'GenericRFI_BODY',
      'CrossSiteScripting_BODY',
    ],
  });
});

test('no own rule looks at a body', () => {
  const [acl] = propertiesOf('full', 'WebACL');
  expect(JSON.stringify(acl.Rules)).not.toMatch(/"(Body|JsonBody)"/);
});

test('every rule has metrics, and none samples requests, whose headers hold tokens', () => {
  const [acl] = propertiesOf('full', 'WebACL');
  for (const { VisibilityConfig } of [acl, ...acl.Rules]) {
    expect(VisibilityConfig).toMatchObject({ CloudWatchMetricsEnabled: true, SampledRequestsEnabled: false });
  }
});
