import { memorySize } from '../infrastructure/memory-size.ts';
import type { Environment } from '../infrastructure/settings.ts';
import { type Plan, type Price, prices, type Vendor } from './prices.ts';

/** What an environment has to do in a month, and what is switched on in it. */
export interface Workload {
  /** Contact requests that are stored. */
  readonly contacts: number;
  /** Pages of the list that staff read. */
  readonly lists: number;
  /** Contact requests that staff fetch one by one. */
  readonly fetches: number;
  /** Contact requests that staff delete; what expires is deleted free of charge. */
  readonly deletes: number;
  /** For how many months a contact request is kept. */
  readonly keptMonths: number;
  readonly waf: boolean;
  /** Whether each contact request is told to an e-mail address, and to a webhook. */
  readonly email: boolean;
  readonly webhook: boolean;
}

/** What of an environment's settings has a price. */
export type PricedSettings = Pick<Environment, 'dashboard' | 'logRetentionDays' | 'silenceAlarm' | 'throttles'>;

/** What the estimate takes for granted. */
export interface Assumption {
  readonly value: number;
  readonly unit: string;
  /** How it was obtained. */
  readonly origin: string;
}

const notMeasured = 'assumed, cold starts shared in: no AWS account was measured';

const modelled = `${notMeasured}; twice what the model of docs/measured.md has, or more`;

/** The sizes, times and counts behind the estimate. */
export const assumptions = {
  itemBytes: {
    value: 698,
    unit: 'bytes',
    origin:
      'a contact request with every field, its site and a message of 400 characters, as stored, by the rules for item sizes',
  },
  itemOverheadBytes: {
    value: 100,
    unit: 'bytes',
    origin:
      'what storage adds to an item for its indexing, in the table and in the index; a backup is of the data alone',
  },
  largestItemBytes: {
    value: 71_000,
    unit: 'bytes',
    origin:
      'a contact request with every field as long as it may be, in characters of four bytes, and further fields of quotes only, as stored',
  },
  createMs: {
    value: 10,
    unit: 'ms',
    origin:
      'assumed: a write in nine, since DynamoDB answers in "single-digit milliseconds" (https://aws.amazon.com/dynamodb/features/), and one for what the model of docs/measured.md has for computing; a busy form hardly ever meets a cold start; no AWS account was measured',
  },
  staffMs: { value: 40, unit: 'ms', origin: modelled },
  authorizerMs: {
    value: 20,
    unit: 'ms',
    origin: `${modelled}; called for each staff request, as if nothing was cached`,
  },
  memoryMb: { value: memorySize, unit: 'MB', origin: 'lib/infrastructure/memory-size.ts' },
  listItems: {
    value: 51,
    unit: 'items a page',
    origin: 'a page of 50 and the one that tells whether another follows: one query, where listShards is 1',
  },
  createLogBytes: {
    value: 232,
    unit: 'bytes',
    origin: "the access log's line (206), 26 for it: the handler writes of what it refuses alone",
  },
  staffLogBytes: { value: 490, unit: 'bytes', origin: "a line of who read what, the access log's, 26 for each" },
  keptLogPart: {
    value: 0.15,
    unit: 'of what is written',
    origin:
      "what AWS's calculator takes for it, since logs are kept compressed (https://dev.classmethod.jp/articles/compare-archive-cost-cloudwatchlogs-s3/)",
  },
  createEgressBytes: {
    value: 1225,
    unit: 'bytes',
    origin: "the answer (975), the gateway's own headers (about 250)",
  },
  refusedLogBytes: { value: 240, unit: 'bytes', origin: "the access log's line (210), 26 for it" },
  refusedEgressBytes: { value: 450, unit: 'bytes', origin: "an error of the gateway's own, with its headers" },
  listEgressBytes: { value: 34_000, unit: 'bytes', origin: 'a page of 50' },
  alarmMetrics: {
    value: 6,
    unit: 'alarm metrics',
    origin:
      'lib/infrastructure/monitoring/alarms.ts: one metric each; notifications add their own, the web ACL one, silenceAlarm one',
  },
  faultMetrics: {
    value: 3,
    unit: 'metrics',
    origin:
      'UnreadableItems of functions/metrics.ts, and the two of lib/infrastructure/api/access-log.ts: counted where there is something to tell; one of each target besides',
  },
  faultHours: {
    value: 30,
    unit: 'hours a month',
    origin: 'assumed, for each of them: one hour of each day. A metric costs in the hours that have data',
  },
  notifyMemoryMb: { value: 512, unit: 'MB', origin: 'lib/infrastructure/memory-size.ts' },
  notifyMs: { value: 250, unit: 'ms', origin: `${notMeasured}; of it, whom it tells takes the most` },
  notifyLogBytes: {
    value: 210,
    unit: 'bytes',
    origin: 'the line of a contact request that was told, 26 for it',
  },
  webhookEgressBytes: { value: 3_000, unit: 'bytes', origin: 'assumed: a body, headers, a connection of its own' },
  queueRequests: { value: 3, unit: 'a contact request told', origin: 'it is sent, received and deleted' },
  idlePolls: {
    value: (5 * 30 * 86_400) / 20,
    unit: 'requests a month for each target',
    origin:
      'Lambda keeps five long polls of 20 seconds up (https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html)',
  },
  targetAlarmMetrics: {
    value: 3,
    unit: 'alarm metrics for each target',
    origin: 'lib/infrastructure/monitoring/alarms.ts; two more for notifications as a whole',
  },
  wafAlarmMetrics: { value: 1, unit: 'alarm metric', origin: 'lib/infrastructure/monitoring/alarms.ts' },
  wafRules: {
    value: 4,
    unit: 'rules',
    origin: 'lib/infrastructure/api/web-acl.ts: one of its own, three managed groups',
  },
} satisfies Record<string, Assumption>;

/** A line of the estimate. */
export interface Part {
  readonly name: string;
  readonly quantity: number;
  readonly price: Price;
}

/** US dollars a month. */
export const costOf = ({ quantity, price }: Part): number => (quantity / price.per) * price.dollars;

const gb = 1_000_000_000;
const writeUnitBytes = 1024;
const readUnitBytes = 4096;
const hoursOfMonth = 720;

/** What a workload uses in a month, by part; `changed` stands in the place of the assumptions that it names. */
export const estimate = (
  workload: Workload,
  { dashboard, logRetentionDays, silenceAlarm }: PricedSettings,
  changed: Partial<Record<keyof typeof assumptions, Pick<Assumption, 'value'>>> = {},
): Part[] => {
  const { contacts, lists, fetches, deletes, keptMonths } = workload;
  const a = { ...assumptions, ...changed };
  const staff = lists + fetches + deletes;
  // The form to copy asks for no preflight, with its script or without.
  const requests = contacts + staff;
  const targets = [workload.email, workload.webhook].filter(Boolean).length;
  const told = contacts * targets;
  const seconds = (contacts * a.createMs.value + staff * (a.staffMs.value + a.authorizerMs.value)) / 1000;
  const writes = (contacts + deletes) * Math.ceil(a.itemBytes.value / writeUnitBytes);
  // The list reads the index with eventual consistency, at half the price; the others read the table, and each request
  // of staff reads its token.
  const listUnits = Math.ceil((a.listItems.value * a.itemBytes.value) / readUnitBytes) * 0.5;
  const itemUnits = Math.ceil(a.itemBytes.value / readUnitBytes);
  const items = contacts * keptMonths;
  const stored = (items * (a.itemBytes.value + a.itemOverheadBytes.value)) / gb;
  const logged =
    (contacts * a.createLogBytes.value + staff * a.staffLogBytes.value + told * a.notifyLogBytes.value) / gb;
  const loggedMonths = logRetentionDays / 30;

  return [
    { name: 'Gateway: requests', quantity: requests, price: prices.gatewayRequest },
    { name: 'Functions: calls', quantity: contacts + 2 * staff, price: prices.invocation },
    { name: 'Functions: time', quantity: (seconds * a.memoryMb.value) / 1024, price: prices.duration },
    { name: 'Store: writes', quantity: writes, price: prices.writeUnit },
    { name: 'Store: reads', quantity: (fetches + deletes) * itemUnits, price: prices.readUnit },
    { name: 'Store: tokens', quantity: staff, price: prices.standardReadUnit },
    { name: 'Store: kept', quantity: stored, price: prices.storage },
    { name: 'Store: backup', quantity: (items * a.itemBytes.value) / gb, price: prices.backup },
    { name: 'Index: writes', quantity: writes, price: prices.writeUnit },
    { name: 'Index: reads', quantity: lists * listUnits, price: prices.readUnit },
    { name: 'Index: kept', quantity: stored, price: prices.storage },
    { name: 'Logs: written', quantity: logged, price: prices.logIngestion },
    { name: 'Logs: kept', quantity: logged * a.keptLogPart.value * loggedMonths, price: prices.logStorage },
    {
      name: 'Egress',
      quantity:
        ((contacts + fetches) * a.createEgressBytes.value +
          lists * a.listEgressBytes.value +
          (workload.webhook ? contacts * a.webhookEgressBytes.value : 0)) /
        gb,
      price: prices.egress,
    },
    {
      name: 'Alarms',
      quantity:
        a.alarmMetrics.value +
        (silenceAlarm ? 1 : 0) +
        (workload.waf ? a.wafAlarmMetrics.value : 0) +
        (targets > 0 ? targets * a.targetAlarmMetrics.value + 2 : 0),
      price: prices.alarmMetric,
    },
    ...(dashboard ? [{ name: 'Dashboard', quantity: 1, price: prices.dashboard }] : []),
    {
      name: 'Metrics',
      // What somebody wants to hear the silence of comes in every hour.
      quantity: ((a.faultMetrics.value + targets) * a.faultHours.value) / hoursOfMonth + (silenceAlarm ? 1 : 0),
      price: prices.metric,
    },
    ...(workload.waf
      ? [
          { name: 'WAF: web ACL', quantity: 1, price: prices.webAcl },
          { name: 'WAF: rules', quantity: a.wafRules.value, price: prices.wafRule },
          { name: 'WAF: requests', quantity: requests, price: prices.wafRequest },
        ]
      : []),
    ...(targets > 0
      ? [
          { name: 'Notifications: pipe', quantity: contacts, price: prices.pipe },
          { name: 'Notifications: topic', quantity: contacts, price: prices.publish },
          { name: 'Notifications: queues', quantity: told * a.queueRequests.value, price: prices.queueRequest },
          { name: 'Notifications: idle queues', quantity: targets * a.idlePolls.value, price: prices.queueRequest },
          { name: 'Notifications: calls', quantity: told, price: prices.invocation },
          {
            name: 'Notifications: time',
            quantity: (told * a.notifyMs.value * a.notifyMemoryMb.value) / 1000 / 1024,
            price: prices.duration,
          },
          { name: 'Notifications: reads', quantity: told * itemUnits, price: prices.readUnit },
        ]
      : []),
    ...(workload.email ? [{ name: 'Notifications: e-mail', quantity: contacts, price: prices.email }] : []),
    ...(workload.webhook ? [{ name: 'Notifications: secret', quantity: 1, price: prices.secret }] : []),
  ];
};

/** What a vendor asks a month for so many submissions, and for which plan; nothing when no known plan takes them. */
export const offerOf = ({ plans, bundle }: Vendor, submissions: number): Pick<Plan, 'name' | 'dollars'> | undefined =>
  bundle
    ? { name: bundle.name, dollars: (submissions / bundle.submissions) * bundle.dollars }
    : plans.filter((plan) => plan.submissions >= submissions).toSorted((one, other) => one.dollars - other.dollars)[0];
