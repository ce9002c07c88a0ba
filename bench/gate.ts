// `npm run bench:gate`: fails if a bundle is larger than its limit, or the import of create-contact executes more
// instructions. Both limits are shares of the minimal handler's figures (bench/minimal-handler.ts), so they hold on any machine.
import { buildFunctions, inFolder } from './functions.ts';
import { bytesOf, countInstructions, hasValgrind } from './sizes.ts';

const limits = { bytes: 0.23, instructions: 0.47 };

let isOver = false;

const check = (name: string, value: number, base: number, limit: number) => {
  const isTooMuch = !(value <= base * limit);
  if (isTooMuch) isOver = true;
  console.log(`${name}: ${value}, limit ${Math.floor(base * limit)}${isTooMuch ? ': TOO MUCH' : ''}`);
};

await inFolder(async (folder) => {
  const [minimal, ...functions] = await buildFunctions(folder);
  if (!minimal) throw new Error('The minimal handler was not built.');
  for (const one of functions) check(`${one.name}, bytes`, bytesOf(one), bytesOf(minimal), limits.bytes);
  if (hasValgrind()) {
    const create = functions.filter(({ name }) => name === 'create-contact');
    const counts = await countInstructions(folder, [minimal, ...create]);
    for (const { name } of create) {
      check(
        `${name}, instructions`,
        counts.get(name) ?? Number.NaN,
        counts.get(minimal.name) ?? Number.NaN,
        limits.instructions,
      );
    }
  } else {
    console.log('Instructions are not counted: install valgrind.');
  }
});

if (isOver) {
  console.error('A bundle has grown. See what it imports (esbuild --analyze), or change the limits in bench/gate.ts.');
  process.exitCode = 1;
}
