// The texts in German. Replace `const texts = { … };`, at the top of your contact-form.js, by this file.

const texts = {
  language: 'de',
  sending: 'Wird gesendet …',
  arrived: 'Vielen Dank. Wir haben Ihre Nachricht erhalten.',
  mistakes: 'Bitte korrigieren Sie Ihre Angaben und senden Sie die Nachricht erneut.',
  captcha: 'Bitte schließen Sie die Sicherheitsprüfung ab und senden Sie Ihre Nachricht erneut.',
  unreachable: 'Der Dienst ist nicht erreichbar. Bitte prüfen Sie Ihre Internetverbindung und senden Sie die Nachricht erneut.',
  403: 'Ihre Nachricht konnte nicht angenommen werden. Bitte wenden Sie sich auf anderem Weg an uns.',
  413: 'Ihre Nachricht ist zu lang. Bitte kürzen Sie den Text und senden Sie ihn erneut.',
  415: 'Über dieses Formular kann nur Text gesendet werden. Bitte senden Sie Ihre Nachricht ohne Dateien.',
  429: 'Zurzeit gehen zu viele Nachrichten ein. Bitte senden Sie Ihre Nachricht {when} erneut.',
  500: 'Bei uns ist ein Fehler aufgetreten. Bitte senden Sie Ihre Nachricht später erneut.',
  503: 'Der Dienst ist vorübergehend nicht verfügbar. Bitte senden Sie Ihre Nachricht {when} erneut.',
  required: 'Diese Angabe ist erforderlich.',
  too_long: 'Bitte kürzen Sie den Text auf höchstens {limit} Zeichen.',
  invalid_email: 'Bitte geben Sie eine gültige E-Mail-Adresse an, zum Beispiel name@example.com.',
  invalid_phone: 'Bitte geben Sie eine Telefonnummer mit mindestens 3 Ziffern an.',
};
