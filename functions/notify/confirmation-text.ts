// STUB
const literal = (text: string) => text.replaceAll('{{', '{ {').replaceAll(/\{(site|time|reference)\}/g, '{{$1}}');

export const confirmationEmail = (words: { readonly subject: string; readonly text: string }, language: string) => ({
  subject: literal(words.subject),
  text: literal(words.text),
  html: `<!doctype html><html lang="${language}"><body>${literal(words.text)}</body></html>`,
});
