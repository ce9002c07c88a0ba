/** The middle value; of an even number, the upper of the two in the middle. */
export const median = (values: readonly number[]): number =>
  values.toSorted((first, second) => first - second)[Math.floor(values.length / 2)] ?? Number.NaN;

/** A measured value, and its ratio to another. */
export interface Compared {
  readonly value: number;
  readonly ratio: number;
}

/**
 * Measures several things in turns, so that whatever else the machine does affects all of them.
 * @param base what the others are compared with
 */
export const inTurns = async <Name extends string>(
  rounds: number,
  base: Name,
  measures: ReadonlyMap<Name, () => Promise<number>>,
): Promise<Map<Name, Compared>> => {
  const taken: Map<Name, number>[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const values = new Map<Name, number>();
    for (const [name, measure] of measures) values.set(name, await measure());
    taken.push(values);
  }
  const of = (values: ReadonlyMap<Name, number>, name: Name) => values.get(name) ?? Number.NaN;
  return new Map(
    [...measures.keys()].map((name) => [
      name,
      {
        value: median(taken.map((values) => of(values, name))),
        ratio: median(taken.map((values) => of(values, name) / of(values, base))),
      },
    ]),
  );
};
