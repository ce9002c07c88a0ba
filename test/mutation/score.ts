import * as v from 'valibot';
import type { Measurement } from '../../bench/measurement.ts';
import type { MeasuredPart } from '../../bench/page.ts';

const detected = ['Killed', 'Timeout'];
const undetected = ['Survived', 'NoCoverage'];

/** https://github.com/stryker-mutator/mutation-testing-elements/blob/master/packages/report-schema */
export const reportSchema = v.object({
  files: v.record(v.string(), v.object({ mutants: v.array(v.object({ status: v.string() })) })),
});

type Report = v.InferOutput<typeof reportSchema>;

/** The folder of functions/ in which a file is. */
const folderOf = (file: string) => file.split('/').slice(0, -1).join('/');

const scoreOf = (report: Report, name: string, isIn: (file: string) => boolean): Measurement => {
  const statuses = Object.entries(report.files)
    .filter(([file]) => isIn(file))
    .flatMap(([, { mutants }]) => mutants.map(({ status }) => status));
  const caught = statuses.filter((status) => detected.includes(status)).length;
  const all = caught + statuses.filter((status) => undetected.includes(status)).length;
  return { name: `${name}, ${all.toLocaleString('en')} mutants`, value: all === 0 ? 1 : caught / all, unit: 'share' };
};

/** The section of docs/measured.md about the mutants of a whole run. */
export const scoreSection = (report: Report, at: Date): MeasuredPart => ({
  title: 'Mutants',
  tells: `How many small faults in \`functions/\`, put there one at a time, make a test of \`test/functions/\` or of the acceptance suite fail. No part of the run above: \`npm run test:mutation\` wrote this section on ${at.toISOString().slice(0, 10)} (UTC). Left out are what runs once, as a module is loaded, and what a comment in the code explains.`,
  measurements: [
    scoreOf(report, 'All of `functions/`', () => true),
    ...[...new Set(Object.keys(report.files).map(folderOf))]
      .sort()
      .map((folder) => scoreOf(report, `\`${folder}/\``, (file) => folderOf(file) === folder)),
  ],
});
