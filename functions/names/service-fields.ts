/**
 * Names of form fields that mean something to the service, by their meaning. Most come from other form services, so that their
 * forms work here after a change of `action` (docs/forms.md#coming-from-another-service).
 */
export const formFields = {
  /** The subject of notifications; also kept in `extra`. */
  subject: ['_subject', 'subject'],
  /** The success page of a plain form, if it is a page of one of the environment's sites; else a field like any other. */
  thankYouUrl: ['_next', '_redirect', 'redirect'],
  /** The form's name. */
  form: ['form-name', '_form'],
  /** The campaign, in any spelling. Of several, the first counts. */
  campaign: ['campaign', 'Campaign_ID', 'utm_campaign'],
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
    // Contact Form 7 and WordPress
    '_wpcf7',
    '_wpcf7_version',
    '_wpcf7_locale',
    '_wpcf7_unit_tag',
    '_wpcf7_container_post',
    '_wpcf7_posted_data_hash',
    '_wpnonce',
    '_wp_http_referer',
    // Rails, Django, Laravel, ASP.NET, Drupal
    'authenticity_token',
    'csrfmiddlewaretoken',
    '_token',
    '__RequestVerificationToken',
    'form_build_id',
    // hCaptcha's plugin, and browsers
    'hcap_fc_token',
    '_charset_',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

const { subject: _, ...neverOfVisitors } = formFields;

/** Other names of hidden fields and of buttons. A visitor could fill in a field that is called so, so it is kept. */
const mostlyHidden =
  'action do op task utf8 form_id form-id formid field_id commit submit submitted button token nonce timestamp fbzx fvv pagehistory';

/** In lower case. */
export const hiddenNames: ReadonlySet<string> = new Set([
  ...Object.values(neverOfVisitors)
    .flat()
    .map((name) => name.toLowerCase()),
  ...mostlyHidden.split(' '),
]);

export const hiddenStart = /^(?:_|utm_|hcap_|gform_)/;

/** Whether a field with this name is mostly one that the page fills in, and that its visitors do not see. */
export const isHidden = (name: string): boolean => {
  const lower = name.toLowerCase();
  return hiddenStart.test(lower) || hiddenNames.has(lower);
};
