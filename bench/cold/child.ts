// Starts a function as Lambda does: imports its module, then hands it an event. Runs in a process of its own, which sends
// what that took to bench/cold/sample.ts.
import { read, writeSync } from 'node:fs';
import { createRequire } from 'node:module';

/** What the parent reads. */
const report = 3;

const [module = ''] = process.argv.slice(2);
const load = createRequire(import.meta.url);

const start = performance.now();
const idle = process.cpuUsage();
// As Lambda's runtime client does: https://github.com/aws/aws-lambda-nodejs-runtime-interface-client
const { handler } = module.endsWith('.mjs') ? await import(module) : load(module);
const imported = performance.now();
const importCpu = process.cpuUsage(idle);

writeSync(report, 'init ended\n');
const chunk = Buffer.alloc(65_536);
// While it waits for the event, what the module began goes on, as on Lambda.
const length = await new Promise<number>((resolve, reject) => {
  read(0, chunk, 0, chunk.length, null, (error, count) => (error ? reject(error) : resolve(count)));
});
const event: unknown = JSON.parse(chunk.toString('utf8', 0, length));

const context = {
  awsRequestId: '7f9b3c0e-6f0a-4b52-9c7c-0a1b2c3d4e5f',
  callbackWaitsForEmptyEventLoop: true,
  functionName: 'bench',
  functionVersion: '$LATEST',
  invokedFunctionArn: 'arn:aws:lambda:eu-central-1:123456789012:function:bench',
  logGroupName: 'bench',
  logStreamName: 'bench',
  memoryLimitInMB: '1024',
  getRemainingTimeInMillis: () => 10_000,
};

const called = performance.now();
const answer: unknown = await handler(event, context);
const end = performance.now();
const cpu = process.cpuUsage(idle);

const milliseconds = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1000;
writeSync(
  report,
  JSON.stringify({
    import: imported - start,
    call: end - called,
    total: end - start,
    importCpu: milliseconds(importCpu),
    cpu: milliseconds(cpu),
    peak: process.resourceUsage().maxRSS / 1024,
    answer,
  }),
);
process.exit(0);
