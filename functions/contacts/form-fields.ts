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

/**
 * The names that people give to the six fields, besides the fields' own: in English, German, French and Spanish, as `wordsOf`
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

/** Names of an address to reply to. Owners hide their own address there, so they count only if nothing else is one. */
export const replyToName = 'replyto';

/** Words before a name that say nothing about the field: `your-message`, `fields[email]`. The longest are tried first. */
const emptyWords = [
  'customer',
  'contact',
  'visitor',
  'client',
  'fields',
  'sender',
  'field',
  'input',
  'votre',
  'deine',
  'form',
  'ihre',
  'user',
  'your',
  'dein',
  'txt',
  'ihr',
  'su',
  'tu',
];

/** Behind these, only the words of forms say nothing: `contact_details` or `user_text` are no message. */
const vagueNames: ReadonlySet<string> = new Set(['details', 'text', 'content', 'body', 'description']);
const wordsOfForms: ReadonlySet<string> = new Set(['form', 'fields', 'field']);

/** No field has a longer name that means something. Normalising takes quadratic time. */
const maxNameLength = 64;

/** Removes a word that says nothing from the beginning of a name. */
const withoutEmptyWord = (name: string): { readonly word: string; readonly rest: string } | undefined => {
  const word = emptyWords.find((each) => name.startsWith(each) && name.length > each.length);
  return word === undefined ? undefined : { word, rest: name.slice(word.length) };
};

/**
 * Reads the name of a field without regard to case, accents, blanks and punctuation.
 * @returns the whole name, then without each of the words before it that say nothing; none if it is too long
 */
export const wordsOf = (name: string): readonly string[] => {
  if (name.length > maxNameLength) return [];
  const whole = name
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
  const words = [whole];
  let isOfForm = true;
  for (let next = withoutEmptyWord(whole); next; next = withoutEmptyWord(next.rest)) {
    isOfForm &&= wordsOfForms.has(next.word);
    if (isOfForm || !vagueNames.has(next.rest)) words.push(next.rest);
  }
  return words;
};
