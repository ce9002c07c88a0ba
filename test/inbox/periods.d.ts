/** The page's module has no types of its own. */
declare module '*/inbox/periods.js' {
  interface Range {
    readonly first: number;
    readonly last: number;
  }

  interface Chosen {
    readonly from: string;
    readonly to: string;
    readonly today: number;
    readonly newest?: number;
    readonly oldest?: number;
  }

  export const dayOf: (date: Date) => number;
  export const dayOfInput: (value: string) => number;
  export const inputOfDay: (day: number) => string;
  export const rangeOf: (chosen: Chosen) => Range;
  export const periodsOf: (range: Range, weekStart?: number) => { readonly kind: string; readonly periods: Range[] };
  export const countIn: (periods: readonly Range[], days: Iterable<number>) => number[];
}
