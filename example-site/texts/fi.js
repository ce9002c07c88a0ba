// The texts in Finnish. Replace `const texts = { … };`, at the top of your contact-form.js, by this file.

const texts = {
  language: 'fi',
  sending: 'Lähetetään…',
  arrived: 'Kiitos. Olemme vastaanottaneet viestisi.',
  mistakes: 'Korjaa virheet ja lähetä viestisi uudelleen.',
  captcha: 'Suorita turvatarkistus ja lähetä viestisi uudelleen.',
  unreachable: 'Palveluun ei saatu yhteyttä. Tarkista internetyhteytesi ja lähetä viestisi uudelleen.',
  403: 'Viestiäsi ei voitu ottaa vastaan. Ota meihin yhteyttä jollakin muulla tavalla.',
  413: 'Viestisi on liian pitkä. Lyhennä sitä ja lähetä se uudelleen.',
  415: 'Tällä lomakkeella voi lähettää vain tekstiä. Lähetä viestisi ilman tiedostoja.',
  429: 'Viestejä tulee liikaa. Lähetä viestisi uudelleen {when}.',
  500: 'Palvelussamme tapahtui virhe. Lähetä viestisi myöhemmin uudelleen.',
  503: 'Palvelu on tilapäisesti poissa käytöstä. Lähetä viestisi uudelleen {when}.',
  required: 'Tämä kenttä on pakollinen.',
  too_long: 'Lyhennä tekstiä: enintään {limit} merkkiä.',
  invalid_email: 'Anna kelvollinen sähköpostiosoite, esimerkiksi name@example.com.',
  invalid_phone: 'Anna puhelinnumero, jossa on vähintään 3 numeroa.',
};
