import type { Stored } from './answers.ts';
import { type Built, buildAll } from './built.ts';
import { peers } from './bundle-peers.ts';
import { type Exchanges, exchangesOf, posts } from './exchanges.ts';

/** A function to measure. */
export interface Variant extends Built, Exchanges {}

/** Builds the service's functions and their peers. */
export const buildVariants = async (folder: string, endpoint: string, stored: Stored): Promise<Variant[]> => {
  const built = await buildAll(folder, endpoint, peers);
  const exchanges = exchangesOf(stored);
  return [
    ...built.peers.map((peer) => ({ ...peer, ...posts })),
    ...built.functions.map((one) => {
      const asked = exchanges[one.name];
      if (!asked) throw new Error(`Nobody asks ${one.name} anything: bench/cold/exchanges.ts.`);
      return { ...one, ...asked };
    }),
  ];
};
