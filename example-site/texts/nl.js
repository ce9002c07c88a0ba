// The texts in Dutch. Replace `const texts = { … };`, at the top of your contact-form.js, by this file.

const texts = {
  language: 'nl',
  sending: 'Bezig met verzenden…',
  arrived: 'Bedankt. We hebben uw bericht ontvangen.',
  mistakes: 'Verbeter de fouten en verstuur uw bericht opnieuw.',
  captcha: 'Voltooi de beveiligingscontrole en verstuur uw bericht opnieuw.',
  unreachable: 'De dienst is niet bereikbaar. Controleer uw internetverbinding en verstuur uw bericht opnieuw.',
  403: 'Uw bericht kon niet worden aangenomen. Neem op een andere manier contact met ons op.',
  413: 'Uw bericht is te lang. Maak het korter en verstuur het opnieuw.',
  415: 'Met dit formulier kan alleen tekst worden verzonden. Verstuur uw bericht zonder bestanden.',
  429: 'Er komen te veel berichten binnen. Verstuur uw bericht {when} opnieuw.',
  500: 'Er is bij ons iets misgegaan. Verstuur uw bericht later opnieuw.',
  503: 'De dienst is tijdelijk niet beschikbaar. Verstuur uw bericht {when} opnieuw.',
  required: 'Dit veld is verplicht.',
  too_long: 'Kort de tekst in tot maximaal {limit} tekens.',
  invalid_email: 'Vul een geldig e-mailadres in, bijvoorbeeld name@example.com.',
  invalid_phone: 'Vul een telefoonnummer van ten minste 3 cijfers in.',
};
