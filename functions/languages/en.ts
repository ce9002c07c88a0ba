import type { ConfirmationTexts, EmailTexts, PageTexts, ScriptTexts, Words } from './language.ts';

export const tag = 'en';
export const dir = 'ltr';

/**
 * The names that people give to form fields, as they write them: case, accents, blanks and punctuation make no difference, so
 * `e-mail` covers `E_Mail`. Left out, because they mean something else in this or another language: `info`, `title`, `business`.
 */
export const words = {
  /** The visitor's own address (email). */
  email: ['email', 'email address', 'mail', 'mail address', 'email id', 'emails'],
  /** The visitor's own phone number. */
  phone: [
    'phone',
    'phone number',
    'phone no',
    'telephone',
    'telephone number',
    'tel',
    'mobile',
    'mobile number',
    'mobile phone',
    'cell',
    'cell phone',
    'whatsapp',
    'phone num',
    'contact number',
    'contact no',
    'mobile no',
    'mobile phone number',
    'cell phone number',
    'cell number',
    'whatsapp number',
    'phones',
    'number',
    'phone numbers',
    'telephone no',
    'tel num',
    'tel number',
    'call number',
    'contact',
    'contact phone',
  ],
  /** The company, club or institution of the visitor. */
  company: [
    'company',
    'company name',
    'organisation',
    'organization',
    'organisation name',
    'organization name',
    'business name',
    'institution',
    'firm',
    'enterprise',
    'org',
  ],
  /** The text that the visitor writes. Most usual first. */
  message: [
    'message',
    'comment',
    'comments',
    'inquiry',
    'enquiry',
    'question',
    'description',
    'details',
    'notes',
    'feedback',
    'remarks',
    'note',
    'query',
    'problem',
    'request',
    'requests',
    'additional info',
    'additional information',
    'additional details',
    'project details',
    'project description',
    'cover letter',
    'msg',
    'messages',
    'questions',
    'textarea',
    'body',
    'content',
    'text',
    'issue',
    'comment text',
    'your comments',
    'special requests',
    'other information',
  ],
  firstName: ['first name', 'given name', 'forename', 'fname', 'name first', 'first'],
  lastName: ['last name', 'surname', 'family name', 'lname', 'name last', 'last', 'surename', 'second name'],
  /** The visitor's whole name. */
  name: [
    'name',
    'full name',
    'real name',
    'guest name',
    'author',
    'first and last name',
    'contact name',
    'contact person',
    'customer name',
    'applicant name',
    'applicant',
    'writer',
    'nickname',
    'your name',
    'names',
  ],
  /** The subject of the message. */
  subject: ['subject'],
  /** Words before a name that say nothing about it: `your-email`, `customer_phone`. Only of people and forms. */
  empty: [
    'your',
    'user',
    'customer',
    'visitor',
    'sender',
    'form',
    'field',
    'fields',
    'input',
    'contact',
    'client',
    'from',
    'txt',
    'guest',
    'applicant',
    'my',
    'our',
    'me',
  ],
  /** Words that say that a field belongs to somebody else, or to the owner: `friend_email`, `recipient`, `child name`. */
  others: [
    'friend',
    'to',
    'recipient',
    'owner',
    'admin',
    'child',
    'referral',
    'emergency',
    'partner',
    'parent',
    'mailto',
    'sendto',
    'cc',
    'bcc',
    'site',
    'friends',
  ],
  /** Words of fields that hold consent, newsletters, terms, privacy. */
  consent: ['consent', 'agree', 'accept', 'terms', 'privacy', 'gdpr', 'newsletter'],
  /** Words of fields with a postal address or a part of one. */
  address: ['address', 'street', 'city', 'postcode', 'zip', 'country'],
} as const satisfies Required<Words>;

/** What visitors read on pages: plain text. Polite, short, in the words that well-kept products use. */
export const pages = {
  labels: {
    email: 'Email address',
    phone: 'Phone number',
    company: 'Company',
    message: 'Message',
    firstName: 'First name',
    lastName: 'Last name',
    body: 'Form',
  },
  errors: {
    required: {
      emailOrPhone: 'Enter an email address or a phone number so that we can reply to you.',
      message: 'Enter a message.',
      other: 'This field is required.',
      oneOfSeveral: 'Fill in at least one of these fields.',
    },
    // {limit} is any number from 64 to 16384: word the sentence so that no plural form depends on it.
    too_long: 'Shorten this to {limit} characters or fewer.',
    too_many: 'Send fewer fields or values: {limit} at most.',
    too_large: 'Shorten the other fields: {limit} bytes at most in total.',
    invalid_email: 'Enter a valid email address, such as name@example.com.',
    invalid_phone: 'Enter a phone number with at least 3 digits.',
    not_text: 'Only text can be sent here.',
    malformed_text: 'A character arrived broken: write without accents, or send the text in UTF-8.',
    invalid_name:
      'Only the owner of the site can correct this error of the form: give the field a name of 1 to {limit} characters.',
    malformed_json: 'Send valid JSON.',
    not_an_object: 'Send a JSON object.',
    malformed_multipart: 'This multipart body is broken or cut short, or has no boundary.',
    encoded_part: 'Send the parts as they are, without a Content-Transfer-Encoding.',
    invalid_idempotency_key: 'Use 1 to {limit} visible ASCII characters, such as a UUID.',
    idempotency_key_reused: 'This key was used before with other content: send a new key.',
    too_many_files: 'Choose fewer files: {limit} at most.',
    // {types} is a list such as “PDF, JPEG, Word”, the same in every language.
    file_type: 'Choose a file of one of these types: {types}.',
    empty_file: 'This file is empty. Choose another file.',
    // {sent} and {limit} are numbers such as 4.4, written as in this language.
    files_too_large: 'Choose fewer or smaller files: {limit} MB at most in total. This form has {sent} MB.',
    daily_files_limit:
      'We cannot receive more files today. Please send your message without files, or try again tomorrow.',
  },
  backToSite: 'Back to {site}',
  thanks: { title: 'Thank you', text: 'We have received your message.' },
  refusal: {
    title: 'Your message was not sent',
    correct: 'Please correct the following, then send your message again:',
    fillIn: 'Fill in the form, then send it again.',
    reasons: {
      403: 'Messages cannot be sent with this form. Please contact the owner of the site in another way.',
      413: 'Your message is too long. Please shorten it and send it again.',
      415: 'Only text can be sent with this form. Please send your message without files.',
      503: 'The service is temporarily unavailable. Please send your message again in a minute.',
    },
    otherReason: 'Something went wrong on our side. Please try again later.',
    goBack: 'Use your browser’s Back button: what you wrote should still be there.',
  },
} as const satisfies PageTexts;

/** What owners read in notifications (emails to the site's owner about a new contact request). */
export const emails = {
  /** {name} is the visitor's name or address, {site} the origin of the site. */
  subject: 'Contact request from {name}',
  /** In place of {name}, if the visitor left none. */
  visitor: 'a visitor',
  site: 'Site',
  form: 'Form',
  campaign: 'Campaign',
  received: 'Received',
  released: 'Released from spam',
  otherFields: 'Other fields',
  files: 'Files',
  openInInbox: 'Open it in the inbox',
  /** A reply to this email goes to the visitor's address. */
  replyGoes: 'A reply goes to the visitor.',
  replyDoesNotReach: 'A reply does not reach the visitor.',
  callInstead: 'A reply does not reach the visitor: call the number above.',
  writeInstead: 'A reply does not reach the visitor: write to the address above.',
} as const satisfies EmailTexts;

/** What the script of a page says beside the form (in addition to the errors above). */
export const script = {
  sending: 'Sending…',
  uploading: 'Uploading: {percent}',
  arrived: 'Thank you. We have received your message.',
  mistakes: 'Please correct the errors, then send your message again.',
  captcha: 'Please complete the security check, then send your message again.',
  unreachable: 'The service could not be reached. Please check your internet connection, then send it again.',
  403: 'Your message could not be accepted. Please contact us in another way.',
  413: 'Your message is too long. Please shorten it and send it again.',
  415: 'Only text can be sent with this form. Please send your message without files.',
  // {when} is what Intl.RelativeTimeFormat gives in this language: «in 5 seconds».
  429: 'We are receiving too many messages right now. Please send yours again {when}.',
  500: 'Something went wrong on our side. Please send your message again later.',
  503: 'The service is temporarily unavailable. Please send your message again {when}.',
} as const satisfies ScriptTexts;

export const confirmation = {
  subject: 'We have received your message ({site})',
  text: `Thank you for your message. We have received it.

Site: {site}
Received: {time}
Reference: {reference}

We will reply to this address. You do not need to do anything else.

If you did not write to us, someone else entered your address in our form. Please ignore this email: your address has not been added to any mailing list.`,
} as const satisfies ConfirmationTexts;
