/**
 * The text below a heading, up to the next heading of the same level or a higher one.
 * @throws {Error} if there is no such heading
 */
export const sectionOf = (document: string, heading: string): string => {
  const [, marks, below = ''] = new RegExp(`^(##+) ${heading}\\n(.*)`, 'ms').exec(document) ?? [];
  if (marks === undefined) throw new Error(`The document has no heading "${heading}".`);
  // Level 1 is the title, and in a block of code, `# ` begins a comment.
  const [own = ''] = below.split(new RegExp(`^#{2,${marks.length}} `, 'm'));
  return own;
};

/**
 * The blocks of code in a text, without the indentation that a list gives them.
 * @param language only blocks of this language; '' for blocks that name none. @defaultValue all blocks
 */
export const blocksIn = (text: string, language?: string): string[] =>
  [...text.matchAll(/^( *)```(\w*)\n(.*?)^\1```$/gms)]
    .filter(([, , itsLanguage]) => language === undefined || itsLanguage === language)
    .map(([, indentation = '', , code = '']) => code.replaceAll(new RegExp(`^${indentation}`, 'gm'), ''));

/** The tables in a text: of each, its rows without the head; of each row, its cells. */
export const tablesIn = (text: string): string[][][] =>
  [...text.matchAll(/^\|.*\n\|[-:| ]+\|\n((?:\|.*\n)*)/gm)].map(([, rows = '']) =>
    rows
      .trimEnd()
      .split('\n')
      .map((row) =>
        row
          .split(/(?<!\\)\|/)
          .slice(1, -1)
          .map((cell) => cell.trim()),
      ),
  );

/** The names in code in a text. */
export const codesIn = (text = ''): string[] => [...text.matchAll(/`(.*?)`/g)].map(([, code = '']) => code);

/** The form in a page or a document, without indentation. */
export const formIn = (text: string): string => {
  const [, indentation = '', form = ''] = /^( *)(<form .*?<\/form>)$/ms.exec(text) ?? [];
  return form.replaceAll(`\n${indentation}`, '\n');
};
