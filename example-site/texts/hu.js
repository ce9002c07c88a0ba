// The texts in Hungarian. Replace `const texts = { … };`, at the top of your contact-form.js, by this file.

const texts = {
  language: 'hu',
  sending: 'Küldés…',
  arrived: 'Köszönjük. Megkaptuk az üzenetét.',
  mistakes: 'Kérjük, javítsa ki a hibákat, majd küldje el újra az üzenetet.',
  captcha: 'Kérjük, végezze el a biztonsági ellenőrzést, majd küldje el újra az üzenetet.',
  unreachable: 'A szolgáltatás nem érhető el. Kérjük, ellenőrizze az internetkapcsolatot, majd küldje el újra az üzenetet.',
  403: 'Az üzenetét nem tudtuk fogadni. Kérjük, más módon lépjen kapcsolatba velünk.',
  413: 'Az üzenete túl hosszú. Kérjük, rövidítse le, majd küldje el újra.',
  415: 'Ezzel az űrlappal csak szöveg küldhető. Kérjük, fájlok nélkül küldje el az üzenetet.',
  429: 'Túl sok üzenet érkezik. Kérjük, küldje el újra az üzenetet {when}.',
  500: 'Hiba történt a rendszerünkben. Kérjük, küldje el újra az üzenetet később.',
  503: 'A szolgáltatás átmenetileg nem érhető el. Kérjük, küldje el újra az üzenetet {when}.',
  required: 'A mező kitöltése kötelező.',
  too_long: 'Rövidítse le a szöveget: legfeljebb {limit} karakter lehet.',
  invalid_email: 'Adjon meg egy érvényes e-mail-címet, például: name@example.com.',
  invalid_phone: 'Adjon meg egy legalább 3 számjegyű telefonszámot.',
};
