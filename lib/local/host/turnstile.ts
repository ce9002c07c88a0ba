/** Limits how many actions run at once. @returns a function that waits for its turn, then acts */
export const createTurnstile = (max: number) => {
  const waiting: (() => void)[] = [];
  let passing = 0;
  return async <Result>(act: () => Promise<Result>): Promise<Result> => {
    if (passing < max) passing += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await act();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else passing -= 1;
    }
  };
};
