import type { Part } from '../part.ts';
import { buildAll } from './built.ts';
import { peers } from './bundle-peers.ts';
import { inFolder } from './folder.ts';
import { measureSizes } from './sizes.ts';

/** Nobody answers there: what is imported asks nothing. */
export const nowhere = 'https://localhost:9';

const measureSize: Part['measure'] = () =>
  inFolder(async (folder) => {
    const built = await buildAll(folder, nowhere, peers);
    return measureSizes(folder, [...built.peers, ...built.functions]);
  });

export const size: Part = {
  title: 'Size',
  tells:
    'The code of each function, and of what stands beside it, as it is uploaded, and how many instructions its import executes, as valgrind counts them, where it is: unlike a time, they are the same whatever else the machine does. What Node itself executes to start is taken off. `npm run bench:gate` holds them in CI.',
  measure: measureSize,
};
