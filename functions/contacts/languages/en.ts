import type { Language } from './language.ts';

export const en = {
  tag: 'en',
  dir: 'ltr',
  labels: {
    email: 'Email address',
    phone: 'Phone number',
    company: 'Company',
    message: 'Message',
    firstName: 'First name',
    lastName: 'Last name',
    body: 'The form',
  },
  faults: {
    required: {
      email: 'Enter an email address or a phone number, so that you can be answered.',
      message: 'Enter a message.',
    },
    too_long: 'Keep this to {limit} characters at most.',
    too_many: 'Send fewer fields or values: {limit} at most.',
    too_large: 'The other fields are too long together: {limit} bytes at most.',
    invalid_email: 'Enter an email address, such as name@example.com.',
    invalid_phone: 'Enter a phone number: at least 3 digits, and besides digits only spaces and + ( ) - . / x #.',
    control_character: 'Remove the control characters; line breaks fit only where there are several lines.',
    not_text: 'Send this as text.',
    malformed_text: 'Send well-formed text, as UTF-8: this holds a broken character.',
    invalid_name: 'Give this field a name of 1 to {limit} characters, without control characters.',
    malformed_json: 'This is not valid JSON.',
    not_an_object: 'Send a JSON object.',
    malformed_multipart: 'This multipart body is broken, cut short or has no boundary.',
    encoded_part: 'Send the parts as they are, without a Content-Transfer-Encoding.',
    invalid_idempotency_key: 'Use 1 to {limit} visible ASCII characters, such as a UUID.',
    idempotency_key_reused: 'This key was used before with other content: send a new key.',
  },
  thanks: {
    title: 'Thank you',
    text: 'Your message has arrived.',
    backToSite: 'Back to the site',
  },
  refusal: {
    title: 'Your message was not sent',
    correct: 'Please correct this, then send your message again:',
    reasons: {
      403: 'This form is not allowed to send messages here. Please reach the owner of the site in another way.',
      413: 'Your message is too long. Please shorten it and send it again.',
      415: 'The form sent something other than text, such as a file. Please send your message without it.',
      503: 'The service is away for a moment. Please send your message again in a minute.',
    },
    otherReason: 'Something went wrong on our side. Please try again later.',
    goBack: 'Go back with your browser: what you wrote should still be there.',
    startAgain: 'Start again on the site',
  },
} as const satisfies Language;
