// The texts in Danish. Replace `const texts = { … };`, at the top of your contact-form.js, by this file.

const texts = {
  language: 'da',
  sending: 'Sender …',
  arrived: 'Tak. Vi har modtaget din besked.',
  mistakes: 'Ret fejlene, og send så din besked igen.',
  captcha: 'Gennemfør sikkerhedskontrollen, og send så din besked igen.',
  unreachable: 'Der kunne ikke oprettes forbindelse til tjenesten. Kontrollér din internetforbindelse, og send så din besked igen.',
  403: 'Din besked kunne ikke modtages. Kontakt os på en anden måde.',
  413: 'Din besked er for lang. Forkort den, og send den igen.',
  415: 'Der kan kun sendes tekst med denne formular. Send din besked uden filer.',
  429: 'Vi modtager for mange beskeder lige nu. Send din besked igen {when}.',
  500: 'Der opstod en fejl hos os. Send din besked igen senere.',
  503: 'Tjenesten er midlertidigt utilgængelig. Send din besked igen {when}.',
  required: 'Dette felt skal udfyldes.',
  too_long: 'Forkort teksten til højst {limit} tegn.',
  invalid_email: 'Angiv en gyldig e-mailadresse, for eksempel name@example.com.',
  invalid_phone: 'Angiv et telefonnummer med mindst 3 cifre.',
};
