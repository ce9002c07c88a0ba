// Builds the package for other CDK apps and prints its path: `npm run package`.
import { join, relative } from 'node:path';
import { buildPackage } from '../lib/package/build.ts';

console.log(relative(process.cwd(), await buildPackage(join(import.meta.dirname, '..', 'dist'))));
