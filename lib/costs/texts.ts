import { assumptions, costOf, estimate, offerOf, type PricedSettings, type Workload } from './estimate.ts';
import { costOfFlood, floodsAt } from './flood.ts';
import { type Price, prices, type Vendor, vendors } from './prices.ts';

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

/** Where each number comes from. */
export const sourcesText = (): string =>
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

/** What a day of a flood costs. */
export const floodText = (waf: boolean, settings: PricedSettings): string =>
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
      floodsAt(settings).map((flood) => {
        const { ordinary, largest } = costOfFlood(flood, waf, settings);
        return [
          flood.name,
          amount((flood.stored ?? 0) * 86_400),
          ...[ordinary, largest].flatMap((cost) => [rounded(cost.day), cost.largest, rounded(cost.kept)]),
        ];
      }),
    ),
  ].join('\n');

/** What the service costs in a month, and what others take for as much. */
export const monthText = (workload: Workload, settings: PricedSettings): string => {
  const parts = estimate(workload, settings);
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
