import type { Language } from './language.ts';

export const de = {
  tag: 'de',
  dir: 'ltr',
  labels: {
    email: 'E-Mail-Adresse',
    phone: 'Telefonnummer',
    company: 'Firma',
    message: 'Nachricht',
    firstName: 'Vorname',
    lastName: 'Nachname',
    body: 'Das Formular',
  },
  faults: {
    required: {
      email: 'Geben Sie eine E-Mail-Adresse oder eine Telefonnummer an, damit man Ihnen antworten kann.',
      message: 'Schreiben Sie eine Nachricht.',
    },
    too_long: 'Kürzen Sie dies auf höchstens {limit} Zeichen.',
    too_many: 'Senden Sie weniger Felder oder Werte: höchstens {limit}.',
    too_large: 'Die übrigen Felder sind zusammen zu lang: höchstens {limit} Byte.',
    invalid_email: 'Geben Sie eine E-Mail-Adresse an, etwa name@example.com.',
    invalid_phone: 'Geben Sie eine Telefonnummer an: mindestens 3 Ziffern, sonst nur Leerzeichen und + ( ) - . / x #.',
    control_character: 'Entfernen Sie die Steuerzeichen; Zeilenumbrüche passen nur in mehrzeilige Felder.',
    not_text: 'Senden Sie dies als Text.',
    malformed_text: 'Senden Sie wohlgeformten Text in UTF-8: Hier ist ein Zeichen beschädigt.',
    invalid_name: 'Geben Sie diesem Feld einen Namen mit 1 bis {limit} Zeichen, ohne Steuerzeichen.',
    malformed_json: 'Das ist kein gültiges JSON.',
    not_an_object: 'Senden Sie ein JSON-Objekt.',
    malformed_multipart: 'Dieser Multipart-Inhalt ist beschädigt, unvollständig oder hat keine Grenze (boundary).',
    encoded_part: 'Senden Sie die Teile, wie sie sind, ohne Content-Transfer-Encoding.',
    invalid_idempotency_key: 'Verwenden Sie 1 bis {limit} sichtbare ASCII-Zeichen, etwa eine UUID.',
    idempotency_key_reused: 'Dieser Schlüssel wurde schon mit anderem Inhalt verwendet: Senden Sie einen neuen.',
  },
  thanks: {
    title: 'Vielen Dank',
    text: 'Ihre Nachricht ist angekommen.',
    backToSite: 'Zurück zur Website',
  },
  refusal: {
    title: 'Ihre Nachricht wurde nicht gesendet',
    correct: 'Bitte berichtigen Sie dies, und senden Sie Ihre Nachricht noch einmal:',
    reasons: {
      403: 'Dieses Formular darf hierher keine Nachrichten senden. Bitte wenden Sie sich auf anderem Weg an die Betreiber der Website.',
      413: 'Ihre Nachricht ist zu lang. Bitte kürzen Sie sie, und senden Sie sie noch einmal.',
      415: 'Das Formular hat etwas anderes als Text gesendet, etwa eine Datei. Bitte senden Sie Ihre Nachricht ohne sie.',
      503: 'Der Dienst ist gerade nicht erreichbar. Bitte senden Sie Ihre Nachricht in einer Minute noch einmal.',
    },
    otherReason: 'Bei uns ist etwas schiefgegangen. Bitte versuchen Sie es später noch einmal.',
    goBack: 'Gehen Sie im Browser zurück: Was Sie geschrieben haben, sollte noch da sein.',
    startAgain: 'Auf der Website neu beginnen',
  },
} as const satisfies Language;
