// The texts in Romanian. Replace `const texts = { … };`, at the top of your contact-form.js, by this file.

const texts = {
  language: 'ro',
  sending: 'Se trimite…',
  arrived: 'Vă mulțumim. Am primit mesajul dumneavoastră.',
  mistakes: 'Vă rugăm să corectați erorile, apoi să trimiteți din nou mesajul.',
  captcha: 'Vă rugăm să finalizați verificarea de securitate, apoi să trimiteți din nou mesajul.',
  unreachable: 'Serviciul nu a putut fi contactat. Vă rugăm să verificați conexiunea la internet, apoi să trimiteți din nou mesajul.',
  403: 'Mesajul dumneavoastră nu a putut fi acceptat. Vă rugăm să ne contactați în alt mod.',
  413: 'Mesajul dumneavoastră este prea lung. Vă rugăm să îl scurtați, apoi să îl trimiteți din nou.',
  415: 'Prin acest formular se poate trimite numai text. Vă rugăm să trimiteți mesajul fără fișiere.',
  429: 'Primim prea multe mesaje. Vă rugăm să trimiteți din nou mesajul {when}.',
  500: 'A apărut o eroare în sistemul nostru. Vă rugăm să trimiteți din nou mesajul mai târziu.',
  503: 'Serviciul este temporar indisponibil. Vă rugăm să trimiteți din nou mesajul {when}.',
  required: 'Acest câmp este obligatoriu.',
  too_long: 'Scurtați textul. Număr maxim de caractere: {limit}.',
  invalid_email: 'Introduceți o adresă de e-mail validă, de exemplu name@example.com.',
  invalid_phone: 'Introduceți un număr de telefon cu cel puțin 3 cifre.',
};
