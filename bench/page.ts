/** A section of docs/measured.md. */
export interface Section {
  readonly title: string;
  /** The one result that a reader wants to know first, in words that the owner of a site understands. */
  readonly headline?: string;
  readonly text: string;
  /** The first column is text, the others are figures. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const decimalsOf = (value: number): number => {
  if (value < 10) return 2;
  return value < 100 ? 1 : 0;
};

/** A figure as people read it, with as many decimals as its size needs. */
export const figure = (value: number): string =>
  value.toLocaleString('en', { maximumFractionDigits: decimalsOf(value) });

export const ratio = (value: number): string => value.toFixed(2);

/** What a ratio of CPU times says, as in "uses … a minimal handler". It agrees with the ratio that a table shows. */
export const comparedCpu = (value: number): string => {
  const percent = Math.round((Number(ratio(value)) - 1) * 100);
  if (percent === 0) return 'as much CPU time as';
  return `${Math.abs(percent)} % ${percent < 0 ? 'less' : 'more'} CPU time than`;
};

const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;

export const sectionText = ({ title, text, columns, rows }: Section): string => `
## ${title}

${text}

${[line(columns), `|---|${'---:|'.repeat(columns.length - 1)}`, ...rows.map(line)].join('\n')}
`;

/** The page of a whole run. */
export const page = (machine: string, sections: readonly Section[]): string => `# Measured

For owners who wonder how long a visitor waits, and for contributors who want to see what a change of the code costs.

${sections.flatMap(({ headline }) => (headline ? [`- ${headline}`] : [])).join('\n')}

How to read the figures:

- **Nothing was measured on AWS.** [Decisions](decisions.md#cold-starts-1024-mb-and-a-first-call-at-the-start) calculates how long a cold start takes there.
- **Compare ratios, not milliseconds**, because machines and hours differ, and the two sides of each ratio ran in turns. Figures are medians.
- A **cold start** is the first call after a pause, for which Lambda has to start the function.
- Each ratio compares with the **minimal handler** ([minimal-handler.ts](../bench/minimal-handler.ts)): the least code that checks a contact
  request and stores it by the SDK's client, bundled by the CDK's defaults, without sites, idempotency and spam traps. A ratio of 0.61 means 39 %
  less CPU time.

${machine}
${sections.map(sectionText).join('')}`;
