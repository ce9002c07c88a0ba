// The thread that bundles the functions for the local service. See synthesize-worker.ts.
import { once } from 'node:events';
import { parentPort } from 'node:worker_threads';
import { bundleFunctions } from '../infrastructure/bundle.ts';

if (!parentPort) throw new Error('This runs in a thread');
const [[folder, handlers]] = await once(parentPort, 'message');
parentPort.postMessage(await bundleFunctions(folder, handlers));
