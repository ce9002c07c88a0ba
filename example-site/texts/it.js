// The texts in Italian. Replace `const texts = { … };`, at the top of your contact-form.js, by this file.

const texts = {
  language: 'it',
  sending: 'Invio in corso…',
  arrived: 'Grazie. Abbiamo ricevuto il messaggio.',
  mistakes: 'Correggere gli errori e inviare di nuovo il messaggio.',
  captcha: 'Completare la verifica di sicurezza e inviare di nuovo il messaggio.',
  unreachable: 'Il servizio non è raggiungibile. Controllare la connessione a Internet e inviare di nuovo il messaggio.',
  403: 'Non è stato possibile accettare il messaggio. Si prega di contattarci in un altro modo.',
  413: 'Il messaggio è troppo lungo. Accorciarlo e inviarlo di nuovo.',
  415: 'Con questo modulo è possibile inviare solo testo. Inviare il messaggio senza file allegati.',
  429: 'Stiamo ricevendo troppi messaggi. Inviare di nuovo il messaggio {when}.',
  500: 'Si è verificato un errore nel nostro sistema. Inviare di nuovo il messaggio più tardi.',
  503: 'Il servizio al momento non è disponibile. Inviare di nuovo il messaggio {when}.',
  required: 'Questo campo è obbligatorio.',
  too_long: 'Accorciare il testo: al massimo {limit} caratteri.',
  invalid_email: 'Inserire un indirizzo email valido, ad esempio name@example.com.',
  invalid_phone: 'Inserire un numero di telefono con almeno 3 cifre.',
};
