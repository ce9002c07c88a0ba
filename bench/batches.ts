/** How many of a batch are under way at the same time. */
export const atOnce = 32;

/** Does something `count` times, `atOnce` at once. */
export const inBatches = async (count: number, act: (index: number) => Promise<unknown>): Promise<void> => {
  let index = 0;
  const worker = async () => {
    while (index < count) await act(index++);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
};
