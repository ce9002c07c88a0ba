import { parseArgs } from 'node:util';
import * as v from 'valibot';
import { assumptions, costOf, estimate, offerOf } from './estimate.ts';
import { costOfFlood, floods } from './flood.ts';
import { type Price, prices, type Vendor, vendors } from './prices.ts';

/** A mistake in the arguments; its message is one line. */
export class CostsError extends Error {}

const number = (option: string, min: number) => {
  const message = `--${option} takes a whole number from ${min} on, such as 10000`;
  return v.pipe(v.string(), v.regex(/^\d{1,12}$/, message), v.transform(Number), v.minValue(min, message));
};

const optionsSchema = v.object({
  contacts: number('contacts', 1),
  lists: number('lists', 0),
  fetches: number('fetches', 0),
  deletes: number('deletes', 0),
  'kept-months': number('kept-months', 1),
  waf: v.boolean(),
  email: v.boolean(),
  webhook: v.boolean(),
  flood: v.boolean(),
  sources: v.boolean(),
});

const readArguments = (args: readonly string[]) => {
  try {
    return parseArgs({
      args: [...args],
      strict: true,
      options: {
        contacts: { type: 'string', default: '1000000' },
        lists: { type: 'string', default: '10000' },
        fetches: { type: 'string', default: '0' },
        deletes: { type: 'string', default: '0' },
        'kept-months': { type: 'string', default: '12' },
        waf: { type: 'boolean', default: false },
        email: { type: 'boolean', default: false },
        webhook: { type: 'boolean', default: false },
        flood: { type: 'boolean', default: false },
        sources: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // Node goes on with advice that does not fit here.
    const [what = ''] = error.message.split(/\.\s/);
    throw new CostsError(
      `${what}. Options: ${Object.keys(optionsSchema.entries)
        .map((name) => `--${name}`)
        .join(' ')}`,
    );
  }
};

const parseOptions = (args: readonly string[]) => {
  const result = v.safeParse(optionsSchema, readArguments(args));
  if (result.success) return result.output;
  throw new CostsError(result.issues.map(({ message }) => message).join('; '));
};

const amount = (value: number) => value.toLocaleString('en', { maximumFractionDigits: 2 });

const dollars = (value: number) =>
  `$${value.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 10 })}`;

const rounded = (value: number) =>
  `$${value.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;

const priceText = ({ dollars: price, per }: Price) =>
  per === 1 ? dollars(price) : `${dollars(price)} / ${amount(per)}`;

/** A table that people read in a terminal, and that docs/costs.md holds as it is. */
const table = (header: readonly string[], rows: readonly (readonly string[])[]): string => {
  const widths = header.map((_, column) => Math.max(...[header, ...rows].map((cells) => cells[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width)).join(' | ')} |\n`;
  return [header, widths.map((width) => '-'.repeat(width)), ...rows].map(line).join('');
};

const offerCells = (vendor: Vendor, submissions: number): string[] => {
  const offer = offerOf(vendor, submissions);
  if (offer) return [vendor.name, offer.name, rounded(offer.dollars), vendor.note];
  const largest = vendor.plans.at(-1);
  const limit = largest ? `: ${largest.name} takes ${amount(largest.submissions)} at ${rounded(largest.dollars)}` : '';
  return [vendor.name, `no published price${limit}`, '', vendor.note];
};

const sourcesText = (): string =>
  [
    'Prices:\n',
    table(
      ['Unit', 'Price', "AWS's page", 'Read in', 'Dated'],
      Object.values(prices).map((price) => [price.unit, priceText(price), price.page, price.readIn, price.dated]),
    ),
    'Assumptions:\n',
    table(
      ['Assumption', 'Value', 'Origin'],
      Object.entries(assumptions).map(([name, { value, unit, origin }]) => [name, `${amount(value)} ${unit}`, origin]),
    ),
    'Plans of the form backends:\n',
    table(
      ['Service', 'Page', 'Read in', 'Dated'],
      vendors.map(({ name, page, readIn, dated }) => [name, page, readIn, dated]),
    ),
  ].join('\n');

const floodText = (waf: boolean): string =>
  [
    `A flood, ${waf ? 'behind' : 'without'} the web ACL, at the throttles of prod, us-east-1, list prices without any free tier:\n`,
    table(
      [
        'What comes',
        'Stored a day',
        'A day',
        'Most of it',
        'Kept a month',
        'Largest: a day',
        'Most of it',
        'Kept a month',
      ],
      floods.map((flood) => {
        const { ordinary, largest } = costOfFlood(flood, waf);
        return [
          flood.name,
          amount((flood.stored ?? 0) * 86_400),
          ...[ordinary, largest].flatMap((cost) => [rounded(cost.day), cost.largest, rounded(cost.kept)]),
        ];
      }),
    ),
  ].join('\n');

/**
 * What the service costs in a month at the volumes that the arguments give, and what others take for them; with
 * `--flood`, what a day of a flood costs, and with `--sources`, where each number comes from instead.
 * @throws {CostsError} for a mistake in the arguments
 */
export const costs = (args: readonly string[]): string => {
  const { 'kept-months': keptMonths, sources, flood, ...rest } = parseOptions(args);
  if (sources) return sourcesText();
  if (flood) return floodText(rest.waf);
  const workload = { ...rest, keptMonths };
  const parts = estimate(workload);
  const total = parts.reduce((sum, part) => sum + costOf(part), 0);
  return [
    `${amount(workload.contacts)} contact requests a month, us-east-1, list prices without any free tier:\n`,
    table(
      ['Part', 'Amount', 'Price', 'A month'],
      [
        ...parts.map((part) => [
          part.name,
          `${amount(part.quantity)} ${part.price.unit}`,
          priceText(part.price),
          rounded(costOf(part)),
        ]),
        ['**Total**', '', '', `**${rounded(total)}**`],
      ],
    ),
    'As many submissions at hosted form backends:\n',
    table(
      ['Service', 'Plan', 'A month', 'Note'],
      vendors.map((vendor) => offerCells(vendor, workload.contacts)),
    ),
  ].join('\n');
};
