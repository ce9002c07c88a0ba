// The texts in Norwegian Bokmål. Replace `const texts = { … };`, at the top of your contact-form.js, by this file.

const texts = {
  language: 'nb',
  sending: 'Sender …',
  arrived: 'Takk. Vi har mottatt meldingen din.',
  mistakes: 'Rett opp feilene, og send meldingen på nytt.',
  captcha: 'Fullfør sikkerhetskontrollen, og send meldingen på nytt.',
  unreachable: 'Fikk ikke kontakt med tjenesten. Kontroller internettforbindelsen, og send meldingen på nytt.',
  403: 'Meldingen din kunne ikke tas imot. Ta kontakt med oss på en annen måte.',
  413: 'Meldingen din er for lang. Kort den ned, og send den på nytt.',
  415: 'Det er bare mulig å sende tekst med dette skjemaet. Send meldingen uten filer.',
  429: 'Vi mottar for mange meldinger akkurat nå. Send meldingen på nytt {when}.',
  500: 'Noe gikk galt hos oss. Send meldingen på nytt senere.',
  503: 'Tjenesten er midlertidig utilgjengelig. Send meldingen på nytt {when}.',
  required: 'Dette feltet må fylles ut.',
  too_long: 'Kort ned teksten til høyst {limit} tegn.',
  invalid_email: 'Oppgi en gyldig e-postadresse, for eksempel name@example.com.',
  invalid_phone: 'Oppgi et telefonnummer med minst 3 sifre.',
};
