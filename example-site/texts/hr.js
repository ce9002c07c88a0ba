// The texts in Croatian. Replace `const texts = { … };`, at the top of your contact-form.js, by this file.

const texts = {
  language: 'hr',
  sending: 'Slanje…',
  arrived: 'Hvala. Primili smo vašu poruku.',
  mistakes: 'Ispravite pogreške, a zatim ponovno pošaljite poruku.',
  captcha: 'Dovršite sigurnosnu provjeru, a zatim ponovno pošaljite poruku.',
  unreachable: 'Povezivanje s uslugom nije uspjelo. Provjerite internetsku vezu, a zatim ponovno pošaljite poruku.',
  403: 'Vaša poruka nije mogla biti prihvaćena. Obratite nam se na drugi način.',
  413: 'Vaša je poruka preduga. Skratite je, a zatim ponovno pošaljite.',
  415: 'Ovim se obrascem može poslati samo tekst. Pošaljite poruku bez datoteka.',
  429: 'Pristiže previše poruka. Ponovno pošaljite poruku {when}.',
  500: 'Došlo je do pogreške na našoj strani. Ponovno pošaljite poruku kasnije.',
  503: 'Usluga privremeno nije dostupna. Ponovno pošaljite poruku {when}.',
  required: 'Ovo je polje obvezno.',
  too_long: 'Skratite tekst. Najveći dopušteni broj znakova: {limit}.',
  invalid_email: 'Unesite valjanu adresu e-pošte, na primjer name@example.com.',
  invalid_phone: 'Unesite broj telefona s najmanje 3 znamenke.',
};
