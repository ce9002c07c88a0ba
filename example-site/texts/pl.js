// The texts in Polish. Replace `const texts = { … };`, at the top of your contact-form.js, by this file.

const texts = {
  language: 'pl',
  sending: 'Wysyłanie…',
  arrived: 'Dziękujemy. Otrzymaliśmy Twoją wiadomość.',
  mistakes: 'Popraw błędy i wyślij wiadomość ponownie.',
  captcha: 'Przejdź weryfikację bezpieczeństwa i wyślij wiadomość ponownie.',
  unreachable: 'Nie udało się połączyć z usługą. Sprawdź połączenie z internetem i wyślij wiadomość ponownie.',
  403: 'Twoja wiadomość nie mogła zostać przyjęta. Skontaktuj się z nami w inny sposób.',
  413: 'Twoja wiadomość jest za długa. Skróć ją i wyślij ponownie.',
  415: 'Przez ten formularz można wysłać tylko tekst. Wyślij wiadomość bez plików.',
  429: 'Otrzymujemy zbyt wiele wiadomości. Wyślij wiadomość ponownie {when}.',
  500: 'Wystąpił błąd po naszej stronie. Wyślij wiadomość ponownie później.',
  503: 'Usługa jest chwilowo niedostępna. Wyślij wiadomość ponownie {when}.',
  required: 'To pole jest wymagane.',
  too_long: 'Skróć tekst do {limit} znaków.',
  invalid_email: 'Podaj prawidłowy adres e-mail, na przykład name@example.com.',
  invalid_phone: 'Podaj numer telefonu złożony z co najmniej 3 cyfr.',
};
