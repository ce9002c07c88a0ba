// Starts a function as Lambda does: imports its module, then hands it an event. Without an event it ends after the import.
import { read, writeSync } from 'node:fs';
import { createRequire } from 'node:module';

const [module = ''] = process.argv.slice(2);
const load = createRequire(import.meta.url);

const idle = process.cpuUsage();
// Like Lambda's runtime client: https://github.com/aws/aws-lambda-nodejs-runtime-interface-client
const { handler } = module.endsWith('.mjs') ? await import(module) : load(module);

const chunk = Buffer.alloc(65_536);
// Not a blocking read: on Lambda, too, what the module began goes on while it waits for the event.
const length = await new Promise<number>((resolve, reject) => {
  read(0, chunk, 0, chunk.length, null, (error, count) => (error ? reject(error) : resolve(count)));
});
if (length === 0) process.exit(0);
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

const response: unknown = await handler(event, context);
const { user, system } = process.cpuUsage(idle);
writeSync(3, JSON.stringify({ cpu: (user + system) / 1000, response }));
process.exit(0);
