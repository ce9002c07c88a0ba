// The texts in Latvian. Replace `const texts = { … };`, at the top of your contact-form.js, by this file.

const texts = {
  language: 'lv',
  sending: 'Notiek sūtīšana…',
  arrived: 'Paldies. Mēs saņēmām jūsu ziņu.',
  mistakes: 'Lūdzu, izlabojiet kļūdas un pēc tam sūtiet ziņu vēlreiz.',
  captcha: 'Lūdzu, veiciet drošības pārbaudi un pēc tam sūtiet ziņu vēlreiz.',
  unreachable: 'Neizdevās sazināties ar pakalpojumu. Lūdzu, pārbaudiet interneta savienojumu un pēc tam sūtiet ziņu vēlreiz.',
  403: 'Jūsu ziņu nevarēja pieņemt. Lūdzu, sazinieties ar mums citā veidā.',
  413: 'Jūsu ziņa ir pārāk gara. Lūdzu, saīsiniet to un pēc tam sūtiet vēlreiz.',
  415: 'Ar šo veidlapu var sūtīt tikai tekstu. Lūdzu, sūtiet ziņu bez failiem.',
  429: 'Pienāk pārāk daudz ziņu. Lūdzu, sūtiet ziņu vēlreiz {when}.',
  500: 'Mūsu pusē radās kļūda. Lūdzu, vēlāk sūtiet ziņu vēlreiz.',
  503: 'Pakalpojums īslaicīgi nav pieejams. Lūdzu, sūtiet ziņu vēlreiz {when}.',
  required: 'Šis lauks ir obligāts.',
  too_long: 'Saīsiniet tekstu. Maksimālais rakstzīmju skaits: {limit}.',
  invalid_email: 'Ievadiet derīgu e-pasta adresi, piemēram, name@example.com.',
  invalid_phone: 'Ievadiet tālruņa numuru ar vismaz 3 cipariem.',
};
