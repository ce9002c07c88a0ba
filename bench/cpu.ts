import { inBatches } from './batches.ts';

/** CPU time of this process, in milliseconds a call. */
export const cpuOf = async (calls: number, act: () => Promise<unknown>): Promise<number> => {
  const before = process.cpuUsage();
  await inBatches(calls, act);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / calls;
};
