/** The middle value; of an even number, the upper of the two in the middle. */
export const median = (values: readonly number[]): number =>
  values.toSorted((first, second) => first - second)[Math.floor(values.length / 2)] ?? Number.NaN;

/** @throws {Error} if nothing has this name */
export const named = <One extends { readonly name: string }>(all: readonly One[], name: string): One => {
  const found = all.find((one) => one.name === name);
  if (!found) throw new Error(`There is no ${name}.`);
  return found;
};

/** Something to measure, by its name. */
type Measure = readonly [name: string, measure: () => Promise<number>];

/** A measured value, and its ratio to another. */
interface Compared {
  readonly name: string;
  readonly value: number;
  readonly ratio: number;
}

/**
 * Measures several things in turns, so that whatever else the machine does affects all of them.
 * @param base the name of the one that the others are compared with
 */
export const inTurns = async (rounds: number, base: string, measures: readonly Measure[]): Promise<Compared[]> => {
  const taken = measures.map(([name, measure]) => ({ name, measure, values: [] as number[] }));
  for (let round = 0; round < rounds; round += 1) {
    for (const { measure, values } of taken) values.push(await measure());
  }
  const { values: ofBase } = named(taken, base);
  return taken.map(({ name, values }) => ({
    name,
    value: median(values),
    ratio: median(values.map((value, round) => value / (ofBase[round] ?? Number.NaN))),
  }));
};
