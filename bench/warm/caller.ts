// Answers the same event again and again, one call after the other as Lambda makes them, as often as
// bench/warm/warm-process.ts asks for, and sends it the CPU time of a call and the memory that is still in use.
import { writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

const [module = '', event = ''] = process.argv.slice(2);
const { handler } = await (module.endsWith('.mjs') ? import(module) : createRequire(import.meta.url)(module));

const context = { awsRequestId: '7f9b3c0e-6f0a-4b52-9c7c-0a1b2c3d4e5f', getRemainingTimeInMillis: () => 10_000 };

for await (const line of createInterface(process.stdin)) {
  const calls = Number(line);
  const before = process.cpuUsage();
  for (let call = 0; call < calls; call += 1) {
    const { statusCode } = await handler(JSON.parse(event), context);
    if (statusCode !== 201) throw new Error(`${module} answers ${statusCode}.`);
  }
  const { user, system } = process.cpuUsage(before);
  globalThis.gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  writeSync(3, `${JSON.stringify({ cpu: (user + system) / 1000 / calls, heap: heapUsed, resident: rss })}\n`);
}
