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
Figures are medians. Machines and hours differ, so compare the ratios: what they compare took turns.
${sections.map(sectionText).join('')}`;

const boundsOf = (page: string, title: string): [start: number, end: number] => {
  const start = page.indexOf(`\n## ${title}\n`);
  if (start === -1) return [page.length, page.length];
  const next = page.indexOf('\n## ', start + 1);
  return [start, next === -1 ? page.length : next];
};

/** The text of a section on a page, or nothing. */
export const sectionOf = (page: string, title: string): string => page.slice(...boundsOf(page, title));

/** A page with a section in place of the one of the same title, or at its end. */
export const withSection = (page: string, section: Section): string => {
  const [start, end] = boundsOf(page, section.title);
  return page.slice(0, start) + sectionText(section) + page.slice(end);
};
