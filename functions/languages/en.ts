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
    body: 'Form',
  },
  errors: {
    required: {
      emailOrPhone: 'Enter an email address or a phone number so that we can reply to you.',
      message: 'Enter a message.',
      other: 'This field is required.',
      oneOfSeveral: 'Fill in at least one of these fields.',
    },
    too_long: 'Shorten this to {limit} characters or fewer.',
    too_many: 'Send fewer fields or values: {limit} at most.',
    too_large: 'Shorten the other fields: {limit} bytes at most in total.',
    invalid_email: 'Enter a valid email address, such as name@example.com.',
    invalid_phone:
      'Enter a valid phone number with at least 3 digits. Besides digits, only spaces and the characters + ( ) - . / x # are allowed.',
    control_character: 'Remove control characters. Line breaks are allowed only in multi-line fields.',
    not_text: 'Only text can be sent here.',
    malformed_text: 'A character arrived broken: write without accents, or send the text in UTF-8.',
    invalid_name:
      'Only the owner of the site can correct this error of the form: give the field a name of 1 to {limit} characters, without control characters.',
    malformed_json: 'Send valid JSON.',
    not_an_object: 'Send a JSON object.',
    malformed_multipart: 'This multipart body is broken or cut short, or has no boundary.',
    encoded_part: 'Send the parts as they are, without a Content-Transfer-Encoding.',
    invalid_idempotency_key: 'Use 1 to {limit} visible ASCII characters, such as a UUID.',
    idempotency_key_reused: 'This key was used before with other content: send a new key.',
  },
  backToSite: 'Back to {site}',
  thanks: {
    title: 'Thank you',
    text: 'We have received your message.',
  },
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
} as const satisfies Language;
