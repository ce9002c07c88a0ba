/**
 * Where a price stands, and where its number was read. AWS fills in the tables of its price pages by a script, so most
 * numbers here were read in documents that quote them.
 */
export interface Source {
  /** The seller's own page: look here before you trust the number. */
  readonly page: string;
  /** The document in which the number was read. */
  readonly readIn: string;
  /** The document's own date (ISO 8601), or that it bears none. */
  readonly dated: string;
}

/** A list price in US dollars, in us-east-1, of the first tier, without any free tier. */
export interface Price extends Source {
  readonly dollars: number;
  /** For how many units the dollars are. */
  readonly per: number;
  readonly unit: string;
}

const million = 1_000_000;

const apiGatewayPage = {
  page: 'https://aws.amazon.com/api-gateway/pricing/',
  readIn:
    'https://github.com/api-evangelist/amazon-web-services/blob/36babc06c8a7a91de234983e5eae2582b93320e1/plans/amazon-web-services-plans-pricing.yml',
  dated: '2026-09-20',
};

const lambdaPage = {
  page: 'https://aws.amazon.com/lambda/pricing/',
  readIn: 'https://git.mcrn.ar/mariano/lambda_local_runner/src/branch/main/docs/lambdas-md/lambda-13-cost.md',
  dated: '2026-05-11',
};

const dynamoDbPage = { page: 'https://aws.amazon.com/dynamodb/pricing/on-demand/' };

/** Checked against AWS's pages for DynamoDB, CloudWatch, WAF and SNS. */
const decisionRecord = {
  readIn:
    'https://github.com/TomBennett-Lloyd/cumulo/blob/051bf4d99350c45803950489dbd0a1de6cbc3c40/docs/adr/0006-demo-abuse-protection.md',
  dated: '2026-08-01',
};

/** Quotes AWS's price list; where it stands is not known, a copy of it is all that was found. */
const priceListStudy = { readIn: "a copy of a study that quotes AWS's price list", dated: '2026-08-15' };

const cloudWatchPage = { page: 'https://aws.amazon.com/cloudwatch/pricing/' };

const wafPage = { page: 'https://aws.amazon.com/waf/pricing/', ...decisionRecord };

const eventBridgePage = {
  page: 'https://aws.amazon.com/eventbridge/pricing/',
  readIn: 'https://cloudburn.io/blog/amazon-eventbridge-pricing',
  dated: '2026-03-13',
};

/** What AWS charges. After a change here, paste what the command prints into docs/costs.md. */
export const prices = {
  gatewayRequest: { dollars: 3.5, per: million, unit: 'REST API requests', ...apiGatewayPage },
  egress: { dollars: 0.09, per: 1, unit: 'GB to the internet', ...apiGatewayPage },
  invocation: { dollars: 0.2, per: million, unit: 'invocations', ...lambdaPage },
  duration: { dollars: 0.0000133334, per: 1, unit: 'GB-seconds on arm64', ...lambdaPage },
  /** Of the class of the contacts table, Standard-Infrequent Access, as the next two. */
  writeUnit: { dollars: 0.78, per: million, unit: 'write units', ...dynamoDbPage, ...priceListStudy },
  readUnit: { dollars: 0.155, per: million, unit: 'read units', ...dynamoDbPage, ...priceListStudy },
  storage: { dollars: 0.1, per: 1, unit: 'GB stored', ...dynamoDbPage, ...priceListStudy },
  /** Of the class of the other tables, Standard. */
  standardReadUnit: { dollars: 0.125, per: million, unit: 'read units of tokens', ...dynamoDbPage, ...decisionRecord },
  backup: { dollars: 0.2, per: 1, unit: 'GB under point-in-time recovery', ...dynamoDbPage, ...priceListStudy },
  logIngestion: { dollars: 0.5, per: 1, unit: 'GB logged', ...cloudWatchPage, ...decisionRecord },
  logStorage: {
    dollars: 0.03,
    per: 1,
    unit: 'GB of logs kept',
    ...cloudWatchPage,
    readIn: 'https://hykell.com/kb/platform-specific-guides/aws-cloudwatch-logs-pricing',
    dated: 'undated',
  },
  alarmMetric: { dollars: 0.1, per: 1, unit: 'alarm metrics', ...cloudWatchPage, ...decisionRecord },
  dashboard: {
    dollars: 3,
    per: 1,
    unit: 'dashboard',
    ...cloudWatchPage,
    readIn: 'https://www.factualminds.com/blog/amazon-cloudwatch-pricing-metrics-logs-alarms-dashboards/',
    dated: '2026-06-13',
  },
  metric: {
    dollars: 0.3,
    per: 1,
    unit: 'metrics',
    ...cloudWatchPage,
    readIn: 'https://signoz.io/guides/cloudwatch-pricing',
    dated: '2026-02-15',
  },
  webAcl: { dollars: 5, per: 1, unit: 'web ACL', ...wafPage },
  wafRule: { dollars: 1, per: 1, unit: 'WAF rules', ...wafPage },
  wafRequest: { dollars: 0.6, per: million, unit: 'requests inspected', ...wafPage },
  pipe: { dollars: 0.4, per: million, unit: 'events through the pipe', ...eventBridgePage },
  secret: {
    dollars: 0.4,
    per: 1,
    unit: 'secret',
    page: 'https://aws.amazon.com/secrets-manager/pricing/',
    readIn: 'https://hivebook.wiki/wiki/aws-secrets-manager-rotated-secrets-dynamic-db-credentials-kms',
    dated: 'undated',
  },
  publish: {
    dollars: 0.5,
    per: million,
    unit: 'messages published',
    page: 'https://aws.amazon.com/sns/pricing/',
    readIn: 'https://www.factualminds.com/blog/amazon-sns-pricing-publishes-fanout-protocols/',
    dated: '2026-06-13',
  },
  queueRequest: {
    dollars: 0.4,
    per: million,
    unit: 'requests to queues',
    page: 'https://aws.amazon.com/sqs/pricing/',
    readIn: 'https://cloudburn.io/blog/amazon-sqs-pricing',
    dated: '2026-03-14',
  },
  email: {
    dollars: 0.1,
    per: 1_000,
    unit: 'e-mails',
    page: 'https://aws.amazon.com/ses/pricing/',
    readIn: 'https://www.acecloudinterviews.com/tutorials/aws/ses/',
    dated: 'undated',
  },
} satisfies Record<string, Price>;

/** A plan that a form backend sells. */
export interface Plan {
  readonly name: string;
  /** US dollars a month; of a bundle: once. */
  readonly dollars: number;
  /** The submissions that it takes in a month; of a bundle: at all. */
  readonly submissions: number;
}

/** A form backend that others run. */
export interface Vendor extends Source {
  readonly name: string;
  /** What it sells, from the smallest; those whose price and limit were both found. */
  readonly plans: readonly Plan[];
  /** What it sells instead: submissions that are paid once and do not expire. */
  readonly bundle?: Plan;
  /** What a reader has to know about the plans. */
  readonly note: string;
}

/** It quotes the vendors' pages; where it stands is not known, a copy of it is all that was found. */
const survey = { readIn: 'a copy of a market survey', dated: '2026-09-28' };

const comparison = {
  readIn:
    'https://github.com/faahim/postbag/blob/447413ff56f8e1f6f38b7cf6a533d59260308fff/apps/site/src/content/compare.ts',
  dated: '2026-08-21',
};

const unlimited = Number.POSITIVE_INFINITY;

/** What the same service costs where others run it. */
export const vendors: readonly Vendor[] = [
  {
    name: 'Basin',
    plans: [
      { name: 'Free', dollars: 0, submissions: 50 },
      { name: 'Growth', dollars: 24.17, submissions: 1_000 },
      { name: 'Pro', dollars: 30.62, submissions: 5_000 },
    ],
    note: 'billed yearly; an Agency plan at $81.25 takes more, how many was not found',
    page: 'https://usebasin.com/pricing',
    ...survey,
  },
  {
    name: 'Formboost',
    plans: [
      { name: 'Free', dollars: 0, submissions: 500 },
      { name: 'Starter', dollars: 9, submissions: 5_000 },
      { name: 'Pro', dollars: 24, submissions: 50_000 },
    ],
    note: 'more at a price on request',
    page: 'https://formboost.app/pricing',
    readIn:
      'https://github.com/api-evangelist/formboost/blob/8fa3a28bae997767fae81aef9544f224c6255cfa/plans/formboost-plans-pricing.yml',
    dated: '2026-09-02',
  },
  {
    name: 'Forminit (was Getform)',
    plans: [
      { name: 'Free', dollars: 0, submissions: 100 },
      { name: 'Pro', dollars: 19, submissions: 5_000 },
      { name: 'Business', dollars: 49, submissions: 10_000 },
    ],
    note: 'billed monthly',
    page: 'https://forminit.com/pricing/',
    ...survey,
  },
  {
    name: 'Formspark',
    plans: [],
    bundle: { name: 'bundles of 50,000 at $25, paid once', dollars: 25, submissions: 50_000 },
    note: 'a promotion; the usual price is $50',
    page: 'https://formspark.io/pricing/',
    ...comparison,
  },
  {
    name: 'Formspree',
    plans: [
      { name: 'Free', dollars: 0, submissions: 50 },
      { name: 'Professional', dollars: 30, submissions: 2_000 },
      { name: 'Business', dollars: 90, submissions: 20_000 },
    ],
    note: 'billed monthly; a third less when billed yearly',
    page: 'https://formspree.io/plans',
    ...survey,
  },
  {
    name: 'Netlify Forms',
    plans: [{ name: 'Forms', dollars: 0, submissions: unlimited }],
    note: '"free and unlimited" on plans with credits, for sites that Netlify hosts',
    page: 'https://docs.netlify.com/manage/forms/usage-and-billing/',
    ...comparison,
  },
  {
    name: 'Tally',
    plans: [{ name: 'Free', dollars: 0, submissions: unlimited }],
    note: 'its own forms only; who has many submissions for months is asked to take a custom plan',
    page: 'https://tally.so/pricing',
    readIn: 'https://tallyso.notion.site/Fair-Use-Policy-18b0c1a63c2448a0a0456cf3cab8c167',
    dated: 'undated',
  },
  {
    name: 'Web3Forms',
    plans: [
      { name: 'Free', dollars: 0, submissions: 250 },
      { name: 'Pro', dollars: 12.42, submissions: 10_000 },
      { name: 'Agency', dollars: 33, submissions: 20_000 },
    ],
    note: 'Pro billed yearly',
    page: 'https://web3forms.com/pricing',
    ...survey,
  },
];
