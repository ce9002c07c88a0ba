import { statSync } from 'node:fs';
import type { Measurement } from '../measurement.ts';
import type { Built } from './built.ts';
import { bare, peers } from './bundle-peers.ts';
import { countInstructions, hasValgrind } from './instructions.ts';
import { sizeTargets } from './targets.ts';

/** The bytes of a bundle. */
export const bytesOf = ({ module }: Built): number => statSync(module).size;

/** Bytes of modules and, where they can be counted, instructions of their imports, set beside b, which is among them. */
export const measureSizes = async (folder: string, modules: readonly Built[]): Promise<Measurement[]> => {
  const rows = (figure: 'bytes' | 'instructions', what: string, values: ReadonlyMap<string, number>) =>
    [...values].map(([name, value]): Measurement => {
      const measured = { name: `${name}: ${what}`, value, unit: figure === 'bytes' ? ('KB' as const) : figure };
      if (name === bare.name) return measured;
      const beside = { what: bare.name, ratio: value / (values.get(bare.name) ?? Number.NaN) };
      const isHeld = !peers.some((peer) => peer.name === name);
      return {
        ...measured,
        beside,
        ...(isHeld && { target: { bound: '≤' as const, value: sizeTargets[figure] } }),
      };
    });

  const bytes = new Map(modules.map((module) => [module.name, bytesOf(module)]));
  return [
    ...rows('bytes', 'bundle', bytes),
    ...(hasValgrind() ? rows('instructions', 'import', await countInstructions(folder, modules)) : []),
  ];
};
