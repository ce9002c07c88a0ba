// The texts in Swedish. Replace `const texts = { … };`, at the top of your contact-form.js, by this file.

const texts = {
  language: 'sv',
  sending: 'Skickar…',
  arrived: 'Tack. Vi har tagit emot ditt meddelande.',
  mistakes: 'Rätta felen och skicka sedan meddelandet igen.',
  captcha: 'Slutför säkerhetskontrollen och skicka sedan meddelandet igen.',
  unreachable: 'Det gick inte att nå tjänsten. Kontrollera din internetanslutning och skicka sedan meddelandet igen.',
  403: 'Ditt meddelande kunde inte tas emot. Kontakta oss på ett annat sätt.',
  413: 'Ditt meddelande är för långt. Korta ner det och skicka det igen.',
  415: 'Det går bara att skicka text med det här formuläret. Skicka meddelandet utan filer.',
  429: 'Det kommer in för många meddelanden just nu. Skicka ditt meddelande igen {when}.',
  500: 'Något gick fel hos oss. Skicka ditt meddelande igen senare.',
  503: 'Tjänsten är tillfälligt otillgänglig. Skicka ditt meddelande igen {when}.',
  required: 'Det här fältet är obligatoriskt.',
  too_long: 'Korta ner texten till högst {limit} tecken.',
  invalid_email: 'Ange en giltig e-postadress, till exempel name@example.com.',
  invalid_phone: 'Ange ett telefonnummer med minst 3 siffror.',
};
