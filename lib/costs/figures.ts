import { assumptions, costOf, estimate, offerOf, type PricedSettings, type Workload } from './estimate.ts';
import { costOfFlood, floodsAt } from './flood.ts';
import { prices, vendors } from './prices.ts';

/** What lib/costs/texts.ts says to people, for programs: US dollars, as computed. */

export const sourcesFigures = () => ({ prices, assumptions, vendors });

export const floodFigures = (waf: boolean, settings: PricedSettings) => ({
  floods: floodsAt(settings).map((flood) => ({ ...flood, ...costOfFlood(flood, waf, settings) })),
});

export const monthFigures = (workload: Workload, settings: PricedSettings) => {
  const parts = estimate(workload, settings).map((part) => ({
    name: part.name,
    quantity: part.quantity,
    unit: part.price.unit,
    dollars: costOf(part),
  }));
  return {
    dollars: parts.reduce((sum, { dollars }) => sum + dollars, 0),
    parts,
    others: vendors.map((vendor) => {
      const offer = offerOf(vendor, workload.contacts);
      return { name: vendor.name, plan: offer?.name ?? null, dollars: offer?.dollars ?? null, note: vendor.note };
    }),
  };
};
