import { createHash } from 'node:crypto';
import type { Item } from './scan.ts';

/** A text that is the same for equal items: neither attributes nor the members of a set have an order. */
export const canonical = (item: Item): string =>
  JSON.stringify(item, (name, value: unknown) => {
    // A list (`L`) has an order.
    if (Array.isArray(value)) return ['SS', 'NS', 'BS'].includes(name) ? value.map(String).sort() : value;
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
  });

/** Sums texts up to one SHA-256 in hexadecimal that does not depend on their order. No two may be equal. */
export class Checksum {
  readonly #sum = Buffer.alloc(32);

  add(text: string): void {
    const digest = createHash('sha256').update(text).digest();
    for (const [at, byte] of digest.entries()) this.#sum[at] = (this.#sum[at] ?? 0) ^ byte;
  }

  toString(): string {
    return this.#sum.toString('hex');
  }
}
