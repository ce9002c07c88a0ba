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
    body: 'Formular',
  },
  errors: {
    required: {
      emailOrPhone: 'Bitte geben Sie eine E-Mail-Adresse oder eine Telefonnummer an, damit wir Ihnen antworten können.',
      message: 'Bitte geben Sie eine Nachricht ein.',
      other: 'Diese Angabe ist erforderlich.',
      oneOfSeveral: 'Füllen Sie mindestens eines dieser Felder aus.',
    },
    too_long: 'Bitte kürzen Sie den Text auf höchstens {limit} Zeichen.',
    too_many: 'Senden Sie weniger Felder oder Werte: höchstens {limit}.',
    too_large: 'Bitte kürzen Sie die übrigen Angaben auf insgesamt höchstens {limit} Byte.',
    invalid_email: 'Bitte geben Sie eine gültige E-Mail-Adresse an, zum Beispiel name@example.com.',
    invalid_phone:
      'Bitte geben Sie eine gültige Telefonnummer mit mindestens 3 Ziffern an. Neben Ziffern sind nur Leerzeichen und die Zeichen + ( ) - . / x # erlaubt.',
    control_character:
      'Bitte entfernen Sie die Steuerzeichen. Zeilenumbrüche sind nur in mehrzeiligen Feldern erlaubt.',
    not_text: 'Hier kann nur Text gesendet werden.',
    malformed_text:
      'Ein Zeichen kam beschädigt an. Schreiben Sie ohne Umlaute und Akzente, oder senden Sie den Text in UTF-8.',
    invalid_name:
      'Diesen Fehler des Formulars kann nur der Betreiber der Website beheben: Der Name des Feldes darf höchstens {limit} Zeichen und keine Steuerzeichen haben.',
    malformed_json: 'Senden Sie gültiges JSON.',
    not_an_object: 'Senden Sie ein JSON-Objekt.',
    malformed_multipart: 'Der Multipart-Inhalt ist beschädigt oder unvollständig, oder die Angabe „boundary“ fehlt.',
    encoded_part: 'Senden Sie die Teile unverändert, ohne Content-Transfer-Encoding.',
    invalid_idempotency_key: 'Verwenden Sie 1 bis {limit} sichtbare ASCII-Zeichen, zum Beispiel eine UUID.',
    idempotency_key_reused: 'Dieser Schlüssel wurde bereits mit anderem Inhalt verwendet. Senden Sie einen neuen.',
  },
  backToSite: 'Zurück zu {site}',
  thanks: {
    title: 'Vielen Dank',
    text: 'Wir haben Ihre Nachricht erhalten.',
  },
  refusal: {
    title: 'Ihre Nachricht wurde nicht gesendet',
    correct: 'Bitte korrigieren Sie die folgenden Angaben und senden Sie die Nachricht erneut:',
    fillIn: 'Bitte füllen Sie das Formular aus und senden Sie es erneut.',
    reasons: {
      403: 'Über dieses Formular können keine Nachrichten gesendet werden. Bitte wenden Sie sich auf anderem Weg an die Betreiber der Website.',
      413: 'Ihre Nachricht ist zu lang. Bitte kürzen Sie den Text und senden Sie ihn erneut.',
      415: 'Über dieses Formular kann nur Text gesendet werden. Bitte senden Sie Ihre Nachricht ohne Dateien.',
      503: 'Der Dienst ist vorübergehend nicht verfügbar. Bitte senden Sie Ihre Nachricht in einer Minute erneut.',
    },
    otherReason: 'Bei uns ist ein Fehler aufgetreten. Bitte versuchen Sie es später erneut.',
    goBack:
      'Bitte kehren Sie über die Schaltfläche „Zurück“ Ihres Browsers zum Formular zurück. Ihre Eingaben sollten dort noch vorhanden sein.',
  },
} as const satisfies Language;
