/**
 * Names of form fields that mean something to the service, by their meaning. Most come from other form services, so that their
 * forms work here after a change of `action` (docs/forms.md#coming-from-another-service).
 */
export const formFields = {
  /** The email address, if `email` is missing. */
  email: ['_replyto'],
  /** The subject of emails and Slack messages; also kept in `extra`. */
  subject: ['_subject', 'subject'],
  /** The thank-you page of a plain form, if it is a page of one of the environment's sites; else a field like any other. */
  thankYouUrl: ['_next', '_redirect', 'redirect'],
  /** The form's name. */
  form: ['form-name', '_form'],
  /** Traps: the default of the setting `spam.traps`. */
  traps: ['_gotcha', '_honey', 'bot-field', 'botcheck'],
  /** Answers to captchas and other defences against spam; never kept. */
  spam: ['g-recaptcha-response', 'h-captcha-response', 'cf-turnstile-response', '_proof'],
  /** Settings of other services; not kept. */
  otherServices: [
    'access_key',
    'apikey',
    'accessKey',
    '_captcha',
    'recaptcha_response',
    '_template',
    '_format',
    '_autoresponse',
    '_webhook',
    '_cc',
    '_blacklist',
    '_url',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;
