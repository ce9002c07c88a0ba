import { figure, type Measurement, times, verdict } from './measurement.ts';
import type { Part } from './part.ts';
import type { Picture } from './plot/picture.ts';

/** Where a run took place. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly node: string;
  /** The packages that the figures depend on, with their versions. */
  readonly packages: Readonly<Record<string, string>>;
}

/** A part with what was measured of it. */
export interface MeasuredPart extends Pick<Part, 'title' | 'tells'> {
  readonly measurements: readonly Measurement[];
  readonly pictures?: readonly Pick<Picture, 'name' | 'title'>[];
}

/** Where the page finds its pictures. */
export const pictureFolder = 'images/measured';

/** A run of all parts. */
export interface Run {
  readonly at: Date;
  readonly machine: Machine;
  readonly parts: readonly MeasuredPart[];
}

const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;

/** A column of a table, which is left out where it would be empty. */
interface Column {
  readonly heading: string;
  readonly rule: string;
  readonly cell: (measurement: Measurement) => string;
}

const columns: readonly Column[] = [
  { heading: 'what', rule: '---', cell: ({ name }) => name },
  { heading: 'figure', rule: '---:', cell: figure },
  { heading: 'ratio', rule: '---:', cell: ({ beside }) => (beside ? times(beside.ratio) : '') },
  { heading: 'to', rule: '---', cell: ({ beside }) => beside?.what ?? '' },
  { heading: 'target', rule: '---', cell: verdict },
];

const table = (measurements: readonly Measurement[]): string[] => {
  const used = columns.filter(({ cell }) => measurements.some((measurement) => cell(measurement) !== ''));
  return [
    line(used.map(({ heading }) => heading)),
    `|${used.map(({ rule }) => rule).join('|')}|`,
    ...measurements.map((measurement) => line(used.map(({ cell }) => cell(measurement)))),
  ];
};

const image = ({ name, title }: Pick<Picture, 'name' | 'title'>) => `![${title}](${pictureFolder}/${name}.svg)\n\n`;

const section = ({ title, tells, measurements, pictures = [] }: MeasuredPart) => `
## ${title}

${tells}

${pictures.map(image).join('')}${table(measurements).join('\n')}
`;

/** The page of a run, docs/measured.md: no figure on it is typed by a person. */
export const page = ({ at, machine: { cpu, cores, node, packages }, parts }: Run): string =>
  `<!-- Written by \`npm run bench\`. Its texts stand in bench/, beside what they are about. -->

# Measured

\`npm run bench\` wrote this page on ${at.toISOString().slice(0, 10)} (UTC): all of it in one run, with Node ${node}
on ${cpu}, ${cores} ${cores === 1 ? 'core' : 'cores'}; ${Object.entries(packages)
    .map(([name, version]) => `\`${name}\` ${version}`)
    .join(', ')}.

A machine has faster and slower hours, and others may use it too: compare the ratios, not the figures of two runs. A
ratio (×) sets a figure beside the same work done in the least way, in turns with it and in the same run. What varies is
the median of several rounds. Nothing on this page was measured on AWS.
${parts.map(section).join('')}`;

const startOf = (page: string, title: string) => page.indexOf(`\n## ${title}\n`);

const endOf = (page: string, start: number) => {
  const next = page.indexOf('\n## ', start + 1);
  return next === -1 ? page.length : next;
};

/** A section of a page as it stands there; nothing when there is none of that title. */
export const sectionOf = (page: string, title: string): string => {
  const start = startOf(page, title);
  return start === -1 ? '' : page.slice(start, endOf(page, start));
};

/** A page with a section in place of the one of the same title, or at its end. */
export const withSection = (page: string, part: MeasuredPart): string => {
  const start = startOf(page, part.title);
  return start === -1 ? page + section(part) : page.slice(0, start) + section(part) + page.slice(endOf(page, start));
};
