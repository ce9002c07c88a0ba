import type { ConfirmationTexts, Language } from '../languages/language.ts';
import { escapeHtml } from '../shared/text.ts';
import { htmlOf } from './email-html.ts';
import { linesOf } from './wording.ts';

/** What is filled in when the email is sent: nothing that a visitor wrote. */
const placeholder = /\{(site|time|reference)\}/g;

const withBraces = /\\?\{+[^{}\n]{0,30}\}*|\}+/g;

/**
 * What is wrong with an owner's words. Other braces would mean something in a template of SES, as a backslash before one does:
 * https://handlebarsjs.com/guide/expressions.html#escaping-handlebars-expressions
 * @returns what follows the name of the setting, as in `has "{name}": …`
 */
export const placeholderErrors = (text: string): string | undefined => {
  const other = text.match(withBraces)?.find((each) => each.replace(placeholder, '') !== '');
  return other === undefined ? undefined : `has "${other}": write braces only as {site}, {time} or {reference}`;
};

const inTemplate = (text: string): string => text.replaceAll(placeholder, '{{$1}}');

/**
 * The parts of a template of SES, which fills in `{{site}}`, `{{time}}` and `{{reference}}`. It escapes none of the three:
 * https://docs.aws.amazon.com/ses/latest/dg/send-personalized-email-advanced.html
 * Lines can be indented, as they are in settings.
 */
export const confirmationEmail = (
  words: ConfirmationTexts,
  language: Pick<Language, 'tag' | 'dir'>,
): { readonly subject: string; readonly text: string; readonly html: string } => {
  const text = linesOf(words.text.trim())
    .map((line) => line.trim())
    .join('\n');
  const paragraphs = text
    .split(/\n{2,}/)
    .map((lines) => `<p style="margin:0 0 16px">${escapeHtml(lines).replaceAll('\n', '<br>')}</p>`);
  return {
    subject: inTemplate(words.subject),
    text: inTemplate(text),
    html: inTemplate(htmlOf(language, words.subject, paragraphs)),
  };
};
