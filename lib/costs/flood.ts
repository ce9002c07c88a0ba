import { postsPerAddress } from '../infrastructure/api/posts-per-address.ts';
import { endpoints } from '../infrastructure/endpoints.ts';
import { assumptions, costOf, estimate, type Part, type PricedSettings } from './estimate.ts';
import { prices } from './prices.ts';

/** Requests a second. */
interface Flood {
  readonly name: string;
  /** Contact requests that are stored. */
  readonly stored?: number;
  /** Contact requests that the gateway refuses with 429. */
  readonly throttled?: number;
  readonly preflights?: number;
  /** Requests of staff with a token that has the right form, and that nobody was given. */
  readonly madeUpTokens?: number;
}

const staffEndpoints = endpoints.filter(({ permission }) => permission).length;

/**
 * What API Gateway takes a second of all of an account's APIs in a region, by default.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html
 */
const accountRate = 10_000;

/** The floods that the table compares, at the throttles of an environment. */
export const floodsAt = ({
  throttles: {
    public: { rate },
    staff,
  },
}: PricedSettings): readonly Flood[] => [
  { name: 'one address, as the web ACL holds it', stored: postsPerAddress / 300 },
  { name: 'a tenth of the throttle', stored: rate / 10 },
  { name: 'at the throttle', stored: rate },
  { name: 'ten times the throttle, which holds', stored: rate, throttled: 9 * rate },
  { name: 'ten times the throttle, which does not hold', stored: 10 * rate },
  { name: "the account's own limit, and nothing holds", stored: accountRate },
  { name: 'preflights, at the throttle', preflights: rate },
  {
    name: 'made-up tokens, at the throttle of every staff endpoint',
    madeUpTokens: staffEndpoints * staff.rate,
  },
];

const secondsOfDay = 86_400;
const gb = 1_000_000_000;

/** What is stored is kept for a month. */
const workload = { contacts: 0, lists: 0, fetches: 0, deletes: 0, keptMonths: 1, email: false, webhook: false };

const a = assumptions;

/** What costs the same without any request. */
const fixedAt = (settings: PricedSettings) =>
  new Set(
    estimate({ ...workload, waf: true }, settings)
      .filter(({ quantity }) => quantity > 0)
      .map(({ name }) => name),
  );

/** What a day of a flood uses, by part. `kept` is what keeping it for a month uses. */
const dayOf = (
  { stored = 0, throttled = 0, preflights = 0, madeUpTokens = 0 }: Flood,
  waf: boolean,
  settings: PricedSettings,
  itemBytes: number,
) => {
  const fixed = fixedAt(settings);
  const refused = (throttled + madeUpTokens) * secondsOfDay;
  const checked = madeUpTokens * secondsOfDay;
  const asked = preflights * secondsOfDay;
  const answerBytes = a.createEgressBytes.value - a.itemBytes.value + itemBytes;
  const parts: Part[] = [
    ...estimate({ ...workload, contacts: stored * secondsOfDay, waf }, settings, {
      itemBytes: { value: itemBytes },
      createEgressBytes: { value: answerBytes },
    }).filter(({ name }) => !fixed.has(name)),
    { name: 'Gateway: preflights', quantity: asked, price: prices.gatewayRequest },
    { name: 'Authorizer: calls', quantity: checked, price: prices.invocation },
    {
      name: 'Authorizer: time',
      quantity: (checked * a.authorizerMs.value * a.memoryMb.value) / 1000 / 1024,
      price: prices.duration,
    },
    { name: 'Authorizer: reads', quantity: checked, price: prices.standardReadUnit },
    {
      name: 'Logs: refusals',
      quantity: ((refused + asked) * a.refusedLogBytes.value) / gb,
      price: prices.logIngestion,
    },
    { name: 'Egress: refusals', quantity: ((refused + asked) * a.refusedEgressBytes.value) / gb, price: prices.egress },
    { name: 'WAF: refusals', quantity: waf ? refused + asked : 0, price: prices.wafRequest },
  ];
  const isKept = ({ name }: Part) => name.endsWith(': kept') || name.endsWith(': backup');
  return { used: parts.filter((part) => !isKept(part)), kept: parts.filter(isKept) };
};

const sum = (parts: readonly Part[]) => parts.reduce((total, part) => total + costOf(part), 0);

/** What a day of a flood costs, and what it costs to keep for a month what it stored: US dollars. */
export interface FloodCost {
  readonly day: number;
  readonly kept: number;
  /** The part that costs most. */
  readonly largest: string;
}

/** What a flood costs when it sends ordinary contact requests, and when it sends the largest that are taken. */
export const costOfFlood = (
  flood: Flood,
  waf: boolean,
  settings: PricedSettings,
): Record<'ordinary' | 'largest', FloodCost> => {
  const cost = (itemBytes: number): FloodCost => {
    const { used, kept } = dayOf(flood, waf, settings, itemBytes);
    const [largest] = used.toSorted((one, other) => costOf(other) - costOf(one));
    return { day: sum(used), kept: sum(kept), largest: largest?.name ?? '' };
  };
  return { ordinary: cost(a.itemBytes.value), largest: cost(a.largestItemBytes.value) };
};
