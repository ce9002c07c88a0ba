/** A framework whose project is built as docs/frameworks.md shows it. */
export interface Framework {
  /** The folder with its pages and its packages. */
  readonly name: string;
  /** Its heading in docs/frameworks.md. */
  readonly heading: string;
  /** The command that builds the project, below `node_modules`. */
  readonly build: readonly [script: string, ...args: string[]];
  /** The folder of the built site. */
  readonly output: string;
  /** The URL of the page with the form. */
  readonly contactPage: string;
  /** Whether its links load no new page. */
  readonly navigatesOnClient: boolean;
}

export const frameworks: readonly Framework[] = [
  {
    name: 'astro',
    heading: 'Astro',
    build: ['astro/bin/astro.mjs', 'build'],
    output: 'dist',
    contactPage: 'contact/',
    navigatesOnClient: true,
  },
  {
    name: 'eleventy',
    heading: 'Eleventy',
    build: ['@11ty/eleventy/cmd.cjs'],
    output: '_site',
    contactPage: 'contact/',
    navigatesOnClient: false,
  },
  {
    name: 'react',
    heading: 'React',
    build: ['vite/bin/vite.js', 'build'],
    output: 'dist',
    contactPage: '#contact',
    navigatesOnClient: true,
  },
];
