import type { FieldName } from './contact.ts';

/**
 * Names of form fields that mean something to the service, by their meaning. Most come from other form services, so that their
 * forms work here after a change of `action` (docs/forms.md#coming-from-another-service).
 */
export const formFields = {
  /** The subject of emails and Slack messages; also kept in `extra`. */
  subject: ['_subject', 'subject'],
  /** The thank-you page of a plain form, if it is a page of one of the environment's sites; else a field like any other. */
  thankYouUrl: ['_next', '_redirect', 'redirect'],
  /** The form's name. */
  form: ['form-name', '_form'],
  /** Traps: the default of the setting `spam.traps`. */
  traps: ['_gotcha', '_honey', 'honeypot', 'bot-field', 'bot-bait', 'false-field', 'botcheck'],
  /** Responses of captchas and other defences against spam; never kept. */
  spam: ['g-recaptcha-response', 'h-captcha-response', 'cf-turnstile-response', '_proof'],
  /** Settings of other services; not kept. */
  otherServices: [
    'access_key',
    'access-key',
    'accessKey',
    'apikey',
    'apiKey',
    'csrf_token',
    'recaptcha_response',
    '_captcha',
    '_template',
    '_format',
    '_autoresponse',
    '_webhook',
    '_cc',
    '_blacklist',
    '_url',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** Where owners hide their own address, it is no visitor's: see find-fields.ts. */
export const replyTo = 'replyto';

/**
 * The names that people give to the six fields, besides the fields' own: in English, German, French and Spanish, as `readingsOf`
 * reads them. Of several, the first counts. Words that often mean something else, such as `name`, `nom` or `business`, are not
 * here: they stay extra fields.
 */
export const otherNames: Readonly<Record<FieldName, readonly string[]>> = {
  email: [
    'emailaddress',
    'emailid',
    'mail',
    'mailaddress',
    'emailadresse',
    'mailadresse',
    'adressemail',
    'adresseemail',
    'adresseelectronique',
    'courriel',
    'correo',
    'correoelectronico',
    'direcciondecorreo',
    'direcciondecorreoelectronico',
    replyTo,
  ],
  phone: [
    'phonenumber',
    'phoneno',
    'contactnumber',
    'contactno',
    'telephone',
    'telephonenumber',
    'tel',
    'mobile',
    'mobilenumber',
    'mobilephone',
    'cell',
    'cellphone',
    'whatsapp',
    'whatsappnumber',
    'telefon',
    'telefonnummer',
    'rufnummer',
    'handy',
    'handynummer',
    'mobil',
    'mobilnummer',
    'numerodetelephone',
    'portable',
    'telefono',
    'numerodetelefono',
    'movil',
    'celular',
  ],
  message: [
    'messages',
    'msg',
    'comments',
    'comment',
    'inquiry',
    'enquiry',
    'question',
    'questions',
    'textarea',
    'description',
    'details',
    'body',
    'content',
    'text',
    'notes',
    'feedback',
    'nachricht',
    'mitteilung',
    'anfrage',
    'anliegen',
    'frage',
    'fragen',
    'kommentar',
    'bemerkung',
    'bemerkungen',
    'commentaire',
    'commentaires',
    'demande',
    'mensaje',
    'comentario',
    'comentarios',
    'consulta',
    'pregunta',
  ],
  company: [
    'companyname',
    'organisation',
    'organization',
    'organisationname',
    'organizationname',
    'businessname',
    'firma',
    'firmenname',
    'unternehmen',
    'entreprise',
    'nomdelentreprise',
    'societe',
    'empresa',
    'nombredelaempresa',
  ],
  firstName: ['fname', 'forename', 'givenname', 'namefirst', 'vorname', 'prenom'],
  lastName: [
    'lname',
    'surname',
    'familyname',
    'namelast',
    'nachname',
    'familienname',
    'nomdefamille',
    'apellido',
    'apellidos',
  ],
};

/**
 * Words before a name that say nothing about the field: `your-message`, `fields[email]`. Of several that fit, the longest
 * counts.
 */
const emptyWords = [
  'contact',
  'client',
  'customer',
  'from',
  'guest',
  'input',
  'sender',
  'subscriber',
  'txt',
  'user',
  'visitor',
  'your',
  'dein',
  'deine',
  'ihr',
  'ihre',
  'votre',
  'su',
  'tu',
];

/** The same, for words of forms and not of people. */
const formWords = ['form', 'field', 'fields'];

/** Behind other words than those of forms, these mean something else: `contact_details`, `user_text`. */
const vagueNames: ReadonlySet<string> = new Set(['details', 'text', 'content', 'body', 'description']);

const longestFirst = [...emptyWords, ...formWords].toSorted((one, other) => other.length - one.length);

const leadingWord = new RegExp(`^(?:${longestFirst.join('|')})(?=.)`);

/** No field has a longer name that means something. Normalising takes quadratic time. */
const maxNameLength = 64;

interface Reading {
  readonly word: string;
  /** No word was left out, or only words of forms. */
  readonly isWhole: boolean;
}

/**
 * Reads the name of a field without regard to case, accents, blanks and punctuation.
 * @returns the whole name, then the name without the first, the first two, … words that say nothing; none if it is too long
 */
export const readingsOf = (name: string): readonly Reading[] => {
  if (name.length > maxNameLength) return [];
  let word = name
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
  let isWhole = true;
  const readings: Reading[] = [{ word, isWhole }];
  for (let left = leadingWord.exec(word)?.[0]; left !== undefined; left = leadingWord.exec(word)?.[0]) {
    word = word.slice(left.length);
    isWhole &&= formWords.includes(left);
    if (isWhole || !vagueNames.has(word)) readings.push({ word, isWhole });
  }
  return readings;
};

/** Whether a name is one of these words, in any spelling. */
export const isNamed = (name: string, words: readonly string[]): boolean =>
  readingsOf(name).some(({ word }) => words.includes(word));
