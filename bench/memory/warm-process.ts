// Sends what a create takes once everything is compiled, one after the other: milliseconds of CPU.
import { contact } from '../contact.ts';
import { withCreateHandler } from '../create-handler.ts';

const calls = 1_000;

const measured = await withCreateHandler(async ({ post }) => {
  const run = async () => {
    for (let count = 0; count < calls; count += 1) await post('application/json', JSON.stringify(contact));
  };
  await run();
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / calls;
});

process.send?.(measured);
process.disconnect();
