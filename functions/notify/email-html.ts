import type { Contact, StaffContact } from '../contacts/contact.ts';
import type { Language } from '../languages/language.ts';
import { nameOf } from '../names/display-name.ts';
import { escapeHtml } from '../shared/text.ts';
import { howToReply } from './reply.ts';
import {
  extraOf,
  type Fact,
  factsOf,
  fieldsOf,
  linesOf,
  spamMark,
  subjectOf,
  textsOf,
  type Wording,
  wayToOpen,
} from './wording.ts';

/** Some mail clients know no `white-space`. */
const withBreaks = (text: string) => linesOf(text).map(escapeHtml).join('<br>');

/**
 * A long word breaks, and a thousand combining marks do not paint over what stands above. The styles are inline, since some
 * mail clients drop style sheets.
 */
const contained = 'overflow:hidden;overflow-wrap:anywhere;word-break:break-word';

const startIn = ({ dir }: Language) => (dir === 'rtl' ? 'right' : 'left');

/** A bar where the lines begin marks a visitor's words, as in the text. Few mail clients know `border-inline-start`. */
const quoteIn = (language: Language): string => {
  const start = startIn(language);
  return `${contained};white-space:pre-wrap;margin:0;padding:0;padding-${start}:12px;border-${start}:3px solid #7b8794`;
};

/** Each text of the visitor is a block with a direction of its own, so that nothing in it can reorder our words. */
const block = (element: string, style: string, content: string) =>
  `<${element} dir="auto" style="${style}">${content}</${element}>`;

const small = 'font-size:13px';

const entry = (label: string, values: string) =>
  `<dt style="margin:12px 0 0;${small}">${escapeHtml(label)}</dt>${values}`;

const factEntry = ({ label, text, isTheirs }: Fact, quote: string) =>
  entry(label, isTheirs ? block('dd', quote, withBreaks(text)) : `<dd style="margin:0">${escapeHtml(text)}</dd>`);

/** The extra fields under one label: even their names come from the visitor. */
const extraEntries = (contact: Contact, wording: Wording, quote: string) => {
  const values = extraOf(contact, wording).flatMap(([name, value]) => [
    block('dd', `${quote};${small}`, withBreaks(name)),
    ...[value].flat().map((text) => block('dd', quote, withBreaks(text))),
  ]);
  return values.length === 0 ? [] : [entry(textsOf(wording).emails.otherFields, values.join(''))];
};

const button =
  'display:inline-block;padding:10px 16px;border-radius:8px;background:#0b57d0;color:#fff;font-weight:bold;text-decoration:none';

/**
 * The HTML of an email, which needs nothing from elsewhere. It has no colours of its own, apart from buttons, so that they suit
 * light and dark.
 * @param title as text
 * @param content HTML
 */
export const htmlOf = (
  { tag, dir }: Pick<Language, 'tag' | 'dir'>,
  title: string,
  content: readonly string[],
): string =>
  [
    `<!doctype html><html lang="${tag}" dir="${dir}"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">',
    `<title>${escapeHtml(title)}</title></head>`,
    `<body><div dir="${dir}" style="max-width:640px;margin:0 auto;padding:8px;font:16px/1.5 system-ui,sans-serif">`,
    ...content,
    '</div></body></html>',
  ].join('\n');

/** A contact request as the HTML of an email. It has no commands, since a reply would quote them. */
export const emailHtml = (contact: StaffContact, wording: Wording): string => {
  const { id, message } = contact;
  const name = nameOf(contact);
  const way = wayToOpen(id, wording);
  const spam = spamMark(contact);
  const texts = textsOf(wording);
  const { emails } = texts;
  const quote = quoteIn(texts);
  // A short text, such as an address, stands at its label, whatever its direction.
  const aligned = `text-align:${startIn(texts)}`;
  const release = 'link' in way ? 'open it in the inbox' : 'use the staff command with its id';
  return htmlOf(texts, subjectOf(contact, wording), [
    ...(name === undefined
      ? []
      : [block('div', `${quote};${aligned};padding-bottom:8px;font-weight:bold`, withBreaks(name))]),
    ...(message === undefined ? [] : [block('div', quote, withBreaks(message))]),
    `<dl style="margin:24px 0;${aligned}">`,
    ...fieldsOf(contact, wording).map((fact) => factEntry(fact, quote)),
    ...extraEntries(contact, wording, quote),
    ...factsOf(contact, wording).map((fact) => factEntry(fact, quote)),
    ...('link' in way ? [] : [entry('Id', `<dd style="margin:0;${contained}">${escapeHtml(id)}</dd>`)]),
    '</dl>',
    `<p style="margin:16px 0">${escapeHtml(howToReply(contact, emails))}</p>`,
    ...(spam === undefined ? [] : [`<p>${escapeHtml(spam)} To release it, ${release}.</p>`]),
    ...('link' in way
      ? [`<p><a href="${escapeHtml(way.link)}" style="${button}">${escapeHtml(emails.openInInbox)}</a></p>`]
      : []),
  ]);
};
