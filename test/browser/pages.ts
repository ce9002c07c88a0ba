import { cp, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

/** The sources of forms to copy, besides the example site. */
const documents = ['README.md', 'docs/forms.md'];

const pageOf = (html: string) => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>A copied form</title></head>
<body>
${html}
</body>
</html>
`;

/** Writes what the documents show of HTML as pages: each must do as it stands there. */
const writeSnippets = async (folder: string) => {
  for (const document of documents) {
    const snippets = (await readFile(join(root, document), 'utf8')).matchAll(/^```html\n(.*?)^```$/gms);
    for (const [index, [, html = '']] of [...snippets].entries()) {
      await writeFile(join(folder, `${basename(document, '.md')}-${index + 1}.html`), pageOf(html));
    }
  }
};

/**
 * Collects what the browser visits: the example site, the forms of the documents, and forms that were made for others.
 * @returns its folder, and the pages that have a form of ours to copy
 */
export const collectPages = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'browser-test-pages-'));
  await cp(join(root, 'example-site'), folder, { recursive: true });
  await writeSnippets(folder);
  const toCopy: string[] = [];
  for (const file of await readdir(folder)) {
    const isPage = file.endsWith('.html');
    if (isPage && /<form\b|name="_gotcha"/.test(await readFile(join(folder, file), 'utf8'))) toCopy.push(file);
  }
  await cp(join(import.meta.dirname, 'pages'), folder, { recursive: true });
  return { folder, toCopy };
};
