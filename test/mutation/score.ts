import * as v from 'valibot';
import type { Section } from '../../bench/page.ts';

const detected = ['Killed', 'Timeout'];
const undetected = ['Survived', 'NoCoverage'];

/** https://github.com/stryker-mutator/mutation-testing-elements/blob/master/packages/report-schema */
export const reportSchema = v.object({
  files: v.record(v.string(), v.object({ mutants: v.array(v.object({ status: v.string() })) })),
});

type Report = v.InferOutput<typeof reportSchema>;

/** `functions/`, or the folder in it that holds a file. */
const folderOf = (file: string) => file.split('/').slice(0, -1).slice(0, 2).join('/');

const rowOf = ({ files }: Report, name: string, includes: (file: string) => boolean): string[] => {
  const statuses = Object.entries(files)
    .filter(([file]) => includes(file))
    .flatMap(([, { mutants }]) => mutants.map(({ status }) => status));
  const noticed = statuses.filter((status) => detected.includes(status)).length;
  const all = noticed + statuses.filter((status) => undetected.includes(status)).length;
  return [name, all.toLocaleString('en'), `${((100 * noticed) / all).toFixed(1)} %`];
};

/** The section of docs/measured.md about a whole run. */
export const scoreSection = (report: Report, at: Date): Section => ({
  title: 'Mutants',
  text: `\`npm run test:mutation\` puts one small fault at a time into code of \`functions/\` that runs after a module has loaded. Does a test notice? Measured on ${at.toISOString().slice(0, 10)} (UTC).`,
  columns: ['code', 'mutants', 'noticed by a test'],
  rows: [
    rowOf(report, 'all of `functions/`', () => true),
    ...[...new Set(Object.keys(report.files).map(folderOf))]
      .sort()
      .map((folder) =>
        rowOf(report, folder === 'functions' ? 'entry files' : `\`${folder}/\``, (file) => folderOf(file) === folder),
      )
      .filter(([, mutants]) => mutants !== '0'),
  ],
});
