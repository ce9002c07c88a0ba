// Handles events one after the other, as Lambda hands them over, and reports the CPU time of a call. Each line of the
// standard input holds an event and how often to send it.
import { writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

const [module = ''] = process.argv.slice(2);
const { handler } = await (module.endsWith('.mjs') ? import(module) : createRequire(import.meta.url)(module));

const context = { awsRequestId: '7f9b3c0e-6f0a-4b52-9c7c-0a1b2c3d4e5f', getRemainingTimeInMillis: () => 10_000 };

for await (const line of createInterface(process.stdin)) {
  const { event, calls } = JSON.parse(line);
  let response: unknown;
  const before = process.cpuUsage();
  for (let call = 0; call < calls; call += 1) response = await handler(structuredClone(event), context);
  const { user, system } = process.cpuUsage(before);
  writeSync(3, `${JSON.stringify({ cpu: (user + system) / 1000 / calls, response })}\n`);
}
