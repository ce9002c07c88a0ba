/** The page's texts have no types of their own. */
declare module '*/inbox/languages/en.js' {
  const texts: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  export default texts;
}
