// The texts in Lithuanian. Replace `const texts = { … };`, at the top of your contact-form.js, by this file.

const texts = {
  language: 'lt',
  sending: 'Siunčiama…',
  arrived: 'Ačiū. Jūsų žinutę gavome.',
  mistakes: 'Ištaisykite klaidas ir siųskite žinutę dar kartą.',
  captcha: 'Atlikite saugumo patikrą ir siųskite žinutę dar kartą.',
  unreachable: 'Nepavyko pasiekti paslaugos. Patikrinkite interneto ryšį ir siųskite žinutę dar kartą.',
  403: 'Jūsų žinutės priimti nepavyko. Susisiekite su mumis kitu būdu.',
  413: 'Jūsų žinutė per ilga. Sutrumpinkite ją ir siųskite dar kartą.',
  415: 'Šia forma galima siųsti tik tekstą. Siųskite žinutę be failų.',
  429: 'Gaunama per daug žinučių. Siųskite žinutę dar kartą {when}.',
  500: 'Įvyko mūsų sistemos klaida. Siųskite žinutę dar kartą vėliau.',
  503: 'Paslauga laikinai nepasiekiama. Siųskite žinutę dar kartą {when}.',
  required: 'Šis laukas yra privalomas.',
  too_long: 'Sutrumpinkite tekstą. Didžiausias leistinas simbolių skaičius: {limit}.',
  invalid_email: 'Įveskite tinkamą el. pašto adresą, pavyzdžiui, name@example.com.',
  invalid_phone: 'Įveskite telefono numerį, kuriame būtų bent 3 skaitmenys.',
};
