/** Numbers below 2³² that look random and are the same in each run: xorshift, by Marsaglia (2003). */
export const seeded = (seed: number): (() => number) => {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state;
  };
};
