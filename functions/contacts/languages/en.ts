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
      emailOrPhone: 'Enter an email address or a phone number, so that you can be answered.',
      message: 'Enter a message.',
      other: 'Fill in this field.',
    },
    too_long: 'Keep this to {limit} characters at most.',
    too_many: 'Send fewer fields or values: {limit} at most.',
    too_large: 'Shorten the other fields: {limit} bytes at most in total.',
    invalid_email: 'Enter an email address, such as name@example.com.',
    invalid_phone: 'Enter a phone number: at least 3 digits, otherwise only spaces and + ( ) - . / x #.',
    control_character: 'Remove control characters. Line breaks are allowed only in multi-line fields.',
    not_text: 'Send this value as text.',
    malformed_text: 'Send valid UTF-8 text: a character is broken.',
    invalid_name: 'Give this field a name of 1 to {limit} characters, without control characters.',
    malformed_json: 'Send valid JSON.',
    not_an_object: 'Send a JSON object.',
    malformed_multipart: 'This multipart body is broken, cut short or has no boundary.',
    encoded_part: 'Send the parts as they are, without a Content-Transfer-Encoding.',
    invalid_idempotency_key: 'Use 1 to {limit} visible ASCII characters, such as a UUID.',
    idempotency_key_reused: 'This key was used before with other content: send a new key.',
  },
  backToSite: 'Back to the site',
  thanks: {
    title: 'Thank you',
    text: 'Your message has arrived.',
  },
  refusal: {
    title: 'Your message was not sent',
    correct: 'Please correct the following, then send your message again:',
    reasons: {
      403: 'This form is not allowed to send messages. Please contact the owner of the site in another way.',
      413: 'Your message is too long. Please shorten it and send it again.',
      415: 'The form sent something other than text, such as a file. Please send your message without files.',
      503: 'The service is unavailable. Please send your message again in a minute.',
    },
    otherReason: 'Something went wrong on our side. Please try again later.',
    goBack: 'Use the Back button of your browser: what you wrote should still be there.',
  },
} as const satisfies Language;
