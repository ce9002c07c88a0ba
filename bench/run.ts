// `npm run bench [-- <part> …] [--rounds <number>]` runs the parts one after another and prints their sections. A run of
// all parts writes them to docs/measured.md.
import { writeFile } from 'node:fs/promises';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import packageFile from '../package.json' with { type: 'json' };
import { measureBodies } from './bodies.ts';
import { cold } from './cold.ts';
import { inbox } from './inbox.ts';
import { page, type Section, sectionText } from './page.ts';
import { proof } from './proof.ts';
import { warm } from './warm.ts';

/** In the order of the page. */
const parts: Readonly<Record<string, (rounds: number) => Promise<Section>>> = {
  cold,
  warm,
  bodies: measureBodies,
  proof,
  inbox,
};

const writePage = async (sections: readonly Section[]) => {
  const { dependencies } = packageFile;
  const machine = `\`npm run bench\` wrote this page on ${new Date().toISOString().slice(0, 10)} (UTC) with Node ${process.versions.node}
and \`@aws-sdk/client-dynamodb\` ${dependencies['@aws-sdk/client-dynamodb']} on ${cpus()[0]?.model.trim() || 'an unknown CPU'}, ${availableParallelism()} cores.`;
  await writeFile(join(import.meta.dirname, '..', 'docs', 'measured.md'), page(machine, sections));
  console.log('\nWrote docs/measured.md.');
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '25' } },
});
const rounds = Number(values.rounds);
const unknown = positionals.find((name) => !Object.hasOwn(parts, name));
if (unknown !== undefined || !(rounds >= 1)) {
  console.error(`Usage: npm run bench [-- ${Object.keys(parts).join(' | ')} …] [--rounds <number>]`);
  process.exitCode = 1;
} else {
  const sections: Section[] = [];
  for (const [name, measure] of Object.entries(parts)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue;
    const section = await measure(rounds);
    console.log(sectionText(section));
    sections.push(section);
  }
  if (positionals.length === 0) await writePage(sections);
}
