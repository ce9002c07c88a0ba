// `npm run bench:gate`: holds the functions' bundles to their targets in bytes and, where valgrind is, in instructions of
// their imports, set beside b (bench/cold/peers/bare.ts) in the same run. No other machine's figures and no times.
import { figure, isMissed, times, verdict } from '../measurement.ts';
import { buildAll } from './built.ts';
import { bare } from './bundle-peers.ts';
import { inFolder } from './folder.ts';
import { hasValgrind } from './instructions.ts';
import { nowhere } from './size.ts';
import { measureSizes } from './sizes.ts';

const measured = await inFolder(async (folder) => {
  const built = await buildAll(folder, nowhere, [bare]);
  return measureSizes(folder, [...built.peers, ...built.functions]);
});
for (const one of measured) {
  const ratio = one.beside ? times(one.beside.ratio) : '';
  console.log(`${one.name.padEnd(30)} ${figure(one).padStart(26)}  ${ratio}  ${verdict(one)}`.trimEnd());
}
if (!hasValgrind()) console.log('Instructions are not counted: valgrind is not here.');
if (measured.some(isMissed)) {
  console.error('A bundle has grown: look what it has taken in (esbuild --analyze), or change bench/cold/targets.ts.');
  process.exitCode = 1;
}
