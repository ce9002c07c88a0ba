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
  tells: `\`npm run test:mutation\` puts small faults into \`functions/\`, one at a time. The figures say how many of them make a test of \`test/functions/\` or of the acceptance suite fail. Code that runs only once, as a module loads, is left out. Measured on ${at.toISOString().slice(0, 10)} (UTC), apart from the figures above.`,
  measurements: [
    scoreOf(report, 'All of `functions/`', () => true),
    ...[...new Set(Object.keys(report.files).map(folderOf))]
      .sort()
      .map((folder) => scoreOf(report, `\`${folder}/\``, (file) => folderOf(file) === folder)),
  ],
});
