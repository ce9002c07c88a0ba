import * as v from 'valibot';
import { expect, test } from 'vitest';
import { bare, full, type Resources, resourcesOf, synthesize, textOf } from '../synthesize.ts';

const template = synthesize({
  bare,
  full,
  'one-site': { ...bare, webAcl: true },
  'no-site': { ...bare, webAcl: true, siteOrigins: [] },
});

const propertiesOf = (environment: string, type: string) =>
  Object.values(resourcesOf(template(environment), `AWS::WAFv2::${type}`)).map(({ Properties }) => Properties);

const ruleOf = (environment: string, name: string) => {
  const [acl] = propertiesOf(environment, 'WebACL');
  return acl.Rules.find(({ Name }: { Name: string }) => Name === name);
};

type Matcher = (request: Request) => boolean;

/** A part of a request, as WAF sees it; none where the request has no such header. */
const part = v.union([
  v.pipe(
    v.strictObject({ Method: v.object({}) }),
    v.transform(() => (request: Request) => request.method),
  ),
  v.pipe(
    v.strictObject({ UriPath: v.object({}) }),
    v.transform(() => (request: Request) => decodeURIComponent(new URL(request.url).pathname)),
  ),
  v.pipe(
    v.strictObject({ SingleHeader: v.object({ Name: v.string() }) }),
    v.transform(
      ({ SingleHeader }) =>
        (request: Request) =>
          request.headers.get(SingleHeader.Name) ?? undefined,
    ),
  ),
]);

const onPart = (read: v.InferOutput<typeof part>, holds: (value: string) => boolean): Matcher => {
  return (request) => {
    const value = read(request);
    return value !== undefined && holds(value);
  };
};

/** What a statement of the web ACL matches; a statement that is not here makes the test fail. */
const statement: v.GenericSchema<unknown, Matcher> = v.lazy(() =>
  v.union([
    v.pipe(
      v.strictObject({ AndStatement: v.strictObject({ Statements: v.pipe(v.array(statement), v.minLength(2)) }) }),
      v.transform(
        ({ AndStatement }): Matcher =>
          (request) =>
            AndStatement.Statements.every((holds) => holds(request)),
      ),
    ),
    v.pipe(
      v.strictObject({ OrStatement: v.strictObject({ Statements: v.pipe(v.array(statement), v.minLength(2)) }) }),
      v.transform(
        ({ OrStatement }): Matcher =>
          (request) =>
            OrStatement.Statements.some((holds) => holds(request)),
      ),
    ),
    v.pipe(
      v.strictObject({ NotStatement: v.strictObject({ Statement: statement }) }),
      v.transform(
        ({ NotStatement }): Matcher =>
          (request) =>
            !NotStatement.Statement(request),
      ),
    ),
    v.pipe(
      v.strictObject({ RegexMatchStatement: v.object({ FieldToMatch: part, RegexString: v.string() }) }),
      v.transform(({ RegexMatchStatement: { FieldToMatch, RegexString } }) =>
        onPart(FieldToMatch, (value) => new RegExp(RegexString).test(value)),
      ),
    ),
    v.pipe(
      v.strictObject({
        ByteMatchStatement: v.object({
          FieldToMatch: part,
          PositionalConstraint: v.literal('EXACTLY'),
          SearchString: v.string(),
        }),
      }),
      v.transform(({ ByteMatchStatement: { FieldToMatch, SearchString } }) =>
        onPart(FieldToMatch, (value) => value === SearchString),
      ),
    ),
    v.pipe(
      v.strictObject({
        SizeConstraintStatement: v.object({
          FieldToMatch: part,
          ComparisonOperator: v.literal('GT'),
          Size: v.number(),
        }),
      }),
      v.transform(({ SizeConstraintStatement: { FieldToMatch, Size } }) =>
        onPart(FieldToMatch, (value) => value.length > Size),
      ),
    ),
  ]),
);

const request = (method: string, path: string, origin?: string) =>
  new Request(`https://api.example.com${path}`, { method, headers: origin === undefined ? {} : { origin } });

test('an environment has a web ACL on its stage if it asks for one', () => {
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
])('an address that does it too often is blocked, for %s %s: %s', (method, path, limited) => {
  const { Action, Statement } = ruleOf('full', 'PostsPerAddress');
  const { ScopeDownStatement, ...rate } = Statement.RateBasedStatement;
  expect(Action).toEqual({ Block: {} });
  expect(rate).toEqual({ AggregateKeyType: 'IP', Limit: 100 });
  expect(v.parse(statement, ScopeDownStatement)(request(method, path))).toBe(limited);
});

test.each([
  ['full', 'https://www.example.com', false],
  ['full', 'https://shop.example.com', false],
  ['full', 'https://evil.example', true],
  ['full', 'https://www.example.com.evil.example', true],
  ['full', 'http://www.example.com', true],
  ['full', 'null', false],
  ['full', undefined, false],
  ['one-site', 'https://www.example.com', false],
  ['one-site', 'https://shop.example.com', true],
  ['no-site', 'https://www.example.com', true],
  ['no-site', 'null', false],
] as const)('with the sites of %s, a post from %s is blocked: %s', (environment, origin, blocked) => {
  const { Action, Statement } = ruleOf(environment, 'ForeignOrigins');
  expect(Action).toEqual({ Block: {} });
  const matches = v.parse(statement, Statement);
  expect(matches(request('POST', '/api/v1/contact', origin))).toBe(blocked);
  expect(matches(request('OPTIONS', '/api/v1/contact', origin))).toBe(false);
  expect(matches(request('GET', '/api/v1/contact', origin))).toBe(false);
});

test('the rule groups of AWS block, but for every rule that looks at a body: a message may say anything', () => {
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
  // As AWS lists them: whoever adds a group reads its list for rules about bodies, and adds it here.
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

test('no rule of its own looks at a body', () => {
  const [acl] = propertiesOf('full', 'WebACL');
  expect(JSON.stringify(acl.Rules)).not.toMatch(/"(Body|JsonBody)"/);
});

test('every rule is measured, none samples requests, whose headers hold tokens', () => {
  const [acl] = propertiesOf('full', 'WebACL');
  for (const { VisibilityConfig } of [acl, ...acl.Rules]) {
    expect(VisibilityConfig).toMatchObject({ CloudWatchMetricsEnabled: true, SampledRequestsEnabled: false });
  }
});
