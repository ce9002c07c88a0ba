// Replying by email: a link that quotes the message, in words of the visitor's language.

import { displayNameOf, subjectIn } from './names.js';

/** By language: what stands around a quote, and frequent words by which to know a message that is in it. */
const languages = {
  en: {
    wrote: 'On {time}, {visitor} wrote:',
    subject: 'Your message',
    words:
      'the and you your is are for with have this that would like we our please could can hello hi thanks thank do not it will from about',
  },
  de: {
    wrote: 'Am {time} schrieb {visitor}:',
    subject: 'Ihre Nachricht',
    words:
      'der die das und ich sie ist nicht ein eine einen wir mit für auf zu von ihr ihre ihnen hallo guten bitte danke möchte haben können gerne auch',
  },
  es: {
    wrote: 'El {time}, {visitor} escribió:',
    subject: 'Su mensaje',
    words:
      'el la los las y que en un una por para con su hola gracias quiero quisiera me es del no se buenos buenas estoy usted tienen',
  },
  fr: {
    wrote: 'Le {time}, {visitor} a écrit :',
    subject: 'Votre message',
    words:
      'le la les et je vous est une des pour dans avec nous votre vos bonjour merci que pas sur du au voudrais suis avez cordialement',
  },
  he: {
    wrote: 'בתאריך {time}, {visitor} כתב/ה:',
    subject: 'ההודעה שלך',
    words: 'של את אני לא זה עם על שלום היי תודה אפשר רוצה רוצים מה יש האם אשמח לקבל גם או כי אנחנו שלכם בבקשה לי לנו',
  },
  it: {
    wrote: 'Il {time}, {visitor} ha scritto:',
    subject: 'Il Suo messaggio',
    words:
      'il la che di e un una per con non sono ciao salve buongiorno grazie vorrei del della mi è gli avete possibile cordiali saluti',
  },
  nl: {
    wrote: 'Op {time} schreef {visitor}:',
    subject: 'Uw bericht',
    words:
      'de het een en ik u is van voor met niet op wij hallo dank bedankt graag kan kunnen jullie zijn dat groet goedemorgen goedemiddag',
  },
  pl: {
    wrote: '{time}, {visitor} napisał(a):',
    subject: 'Twoja wiadomość',
    words:
      'i w na się nie jest do z że dzień dobry proszę dziękuję czy mam chciałbym chciałabym pozdrawiam o jak dla państwa cześć',
  },
  pt: {
    wrote: 'Em {time}, {visitor} escreveu:',
    subject: 'Sua mensagem',
    words: 'o a os as e que em um uma para com não olá obrigado obrigada gostaria bom dia do da por você vocês seu sua',
  },
};

/** Hidden fields with these names say in which language the visitor saw the page, such as `de` or `pt_BR`. */
const languageFields = new Set(['lang', 'language', '_language', 'locale']);

function languageOfPage({ extra = {} }) {
  const [, value = ''] = Object.entries(extra).find(([name]) => languageFields.has(name.toLowerCase())) ?? [];
  const tag = /^[a-z]{2}(?=$|[-_])/i.exec([value].flat()[0])?.[0].toLowerCase();
  return Object.hasOwn(languages, tag) ? tag : undefined;
}

/** The language of which a text has at least two frequent words, and more than of any other one. */
function languageOfText(text) {
  const said = new Set(text.toLowerCase().match(/\p{L}+/gu));
  const [first, second] = Object.entries(languages)
    .map(([tag, { words }]) => ({ tag, count: words.split(' ').filter((word) => said.has(word)).length }))
    .sort((one, other) => other.count - one.count);
  return first.count >= 2 && first.count > second.count ? first.tag : undefined;
}

export const mailTo = (address) => `mailto:${encodeURIComponent(address).replace('%40', '@')}`;

/** As much of a text as fits into a part of a link, without half a letter at its end. */
function encodeStart(text, room) {
  let encoded = '';
  for (const { segment } of new Intl.Segmenter().segment(text.toWellFormed())) {
    const next = encoded + encodeURIComponent(segment.replace('\n', '\r\n'));
    if (next.length > room) return `${encoded}${encodeURIComponent(' […]')}`;
    encoded = next;
  }
  return encoded;
}

/**
 * An email that quotes the message. Windows passes on about 2,000 characters of a link.
 * @param locale - the reader's, which counts where nothing tells the visitor's language
 */
export function replyTo(contact, locale) {
  const { email, message, createdAt } = contact;
  const own = locale.split('-')[0];
  const written = subjectIn(contact) ?? '';
  const language = languageOfPage(contact) ?? languageOfText(`${written} ${message ?? ''}`) ?? own;
  const { wrote, subject } = languages[language];
  const title = written.replaceAll(/\s+/g, ' ').replace(/^(?: ?re ?:)+ ?/i, '') || subject;
  const start = `${mailTo(email)}?subject=${encodeStart(`Re: ${title}`, 300)}`;
  if (!message) return start;
  const format = new Intl.DateTimeFormat(language === own ? locale : language, {
    dateStyle: 'long',
    timeStyle: 'short',
  });
  const values = { time: format.format(new Date(createdAt)), visitor: displayNameOf(contact) };
  const said = `\n\n${wrote.replaceAll(/\{(\w+)\}/g, (_, name) => values[name])}\n${message.replaceAll(/^/gm, '> ')}`;
  const body = `${start}&body=`;
  return body + encodeStart(said, 1_950 - body.length);
}
