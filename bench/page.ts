/** A section of docs/measured.md. */
export interface Section {
  readonly title: string;
  /** The one result that a reader wants to know first. */
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

const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;

export const sectionText = ({ title, text, columns, rows }: Section): string => `
## ${title}

${text}

${[line(columns), `|---|${'---:|'.repeat(columns.length - 1)}`, ...rows.map(line)].join('\n')}
`;

/** The page of a whole run. */
export const page = (machine: string, sections: readonly Section[]): string => `# Measured

${sections.flatMap(({ headline }) => (headline ? [`- ${headline}`] : [])).join('\n')}

${machine} Nothing was measured on AWS.
Figures are medians. Machines and hours differ, so compare the ratios: the two sides of each ran in turns.
${sections.map(sectionText).join('')}`;
