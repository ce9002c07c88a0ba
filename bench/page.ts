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

/** A figure as people read it, with as many decimals as its size needs. */
export const figure = (value: number): string =>
  value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 2 : value < 100 ? 1 : 0 });

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

${sections.flatMap(({ headline }) => (headline ? [`- ${headline}`] : [])).join('\n')}

This page is for owners who wonder how long a visitor waits, and for contributors who want to see what a change of the code costs.

- **Compare ratios, not milliseconds**, because machines and hours differ, and the two sides of each ratio ran in turns. Figures are medians.
- The **minimal handler** ([minimal-handler.ts](../bench/minimal-handler.ts)) is what each ratio compares with: the least code that checks a
  contact request and stores it by the SDK's client, bundled by the CDK's defaults. It knows no sites, no idempotency and no spam traps. A ratio of
  0.61 means 39 % less CPU time.
- Nothing was measured on AWS.

${machine}
${sections.map(sectionText).join('')}`;
