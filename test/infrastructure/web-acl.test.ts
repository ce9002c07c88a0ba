import { expect, test } from 'vitest';
import { bare, full, propertiesOfOnly, type Resources, resourcesOf, synthesize, textOf } from './synthesize.ts';

const template = synthesize({ bare, full });

const { Rules, ...acl } = propertiesOfOnly(template('full'), 'AWS::WAFv2::WebACL');

test('an environment has a web ACL on its stage if the settings have webAcl', () => {
  expect(resourcesOf(template('bare'), 'AWS::WAFv2::WebACL')).toEqual({});
  const { WebACLArn, ResourceArn } = propertiesOfOnly(template('full'), 'AWS::WAFv2::WebACLAssociation');
  expect(textOf(WebACLArn)).toBe('WebAcl.Arn');
  expect(textOf(ResourceArn)).toMatch(/\/restapis\/ApiRestApi\/stages\/ApiRestApiDeploymentStagefull$/);
});

/** The limit of a rule that blocks addresses above it. */
const limitOf = (rule: string): Resources[string] => {
  const [found] = Rules.filter(({ Name }: { Name: string }) => Name === rule);
  expect(found?.Action).toEqual({ Block: {} });
  const limit = found.Statement.RateBasedStatement;
  expect(limit.AggregateKeyType).toBe('IP');
  return limit;
};

test.each([
  ['POST', '/full/api/v1/contact', true],
  ['POST', '/api/v1/contact', true],
  ['POST', '/api/v1/contact/', true],
  ['POST', '/api/v1/c%6Fntact', true],
  ['OPTIONS', '/api/v1/contact', false],
  ['GET', '/api/v1/contact', false],
  ['GET', '/v1/campaigns', false],
  ['POST', '/api/v1/contact/x', false],
])('limits the submissions of one address, for %s %s: %s', (method, path, limited) => {
  const { ScopeDownStatement } = limitOf('PostsPerAddress');
  const [byMethod, byPath] = ScopeDownStatement.AndStatement.Statements.map(
    ({ RegexMatchStatement }: Resources[string]) => RegexMatchStatement,
  );
  expect([byMethod.FieldToMatch, byPath.FieldToMatch]).toEqual([{ Method: {} }, { UriPath: {} }]);
  const isMatched =
    new RegExp(byMethod.RegexString).test(method) && new RegExp(byPath.RegexString).test(decodeURIComponent(path));
  expect(isMatched).toBe(limited);
});

test('limits all requests of one address, so that it cannot use up the throttles of staff alone', () => {
  expect(limitOf('RequestsPerAddress')['ScopeDownStatement']).toBeUndefined();
});

test('rules about bodies only count, since a message may say anything', () => {
  const overrides = Rules.flatMap(
    ({ Statement }: Resources[string]) => Statement.ManagedRuleGroupStatement?.RuleActionOverrides ?? [],
  );
  expect(overrides).toContainEqual({ Name: 'CrossSiteScripting_BODY', ActionToUse: { Count: {} } });
  expect(JSON.stringify(Rules)).not.toMatch(/"(Body|JsonBody)"/);
});

test('a rule group without overrides has no list of them, since AWS asks for at least one', () => {
  const lists = Rules.flatMap(({ Statement }: Resources[string]) => {
    const { RuleActionOverrides: overrides } = Statement.ManagedRuleGroupStatement ?? {};
    return overrides === undefined ? [] : [overrides];
  });
  expect(lists.length).toBeGreaterThan(0);
  for (const overrides of lists) expect(overrides).not.toEqual([]);
});

test('every rule has metrics, and none samples requests, whose headers hold tokens', () => {
  for (const { VisibilityConfig } of [acl, ...Rules]) {
    expect(VisibilityConfig).toMatchObject({ CloudWatchMetricsEnabled: true, SampledRequestsEnabled: false });
  }
});
