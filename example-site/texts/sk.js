// The texts in Slovak. Replace `const texts = { … };`, at the top of your contact-form.js, by this file.

const texts = {
  language: 'sk',
  sending: 'Odosiela sa…',
  arrived: 'Ďakujeme. Vašu správu sme prijali.',
  mistakes: 'Opravte, prosím, chyby a odošlite správu znova.',
  captcha: 'Dokončite, prosím, bezpečnostné overenie a odošlite správu znova.',
  unreachable: 'K službe sa nepodarilo pripojiť. Skontrolujte, prosím, pripojenie na internet a odošlite správu znova.',
  403: 'Vašu správu nebolo možné prijať. Kontaktujte nás, prosím, iným spôsobom.',
  413: 'Vaša správa je príliš dlhá. Skráťte ju, prosím, a odošlite znova.',
  415: 'Týmto formulárom možno odoslať iba text. Odošlite, prosím, správu bez súborov.',
  429: 'Prichádza príliš veľa správ. Odošlite, prosím, svoju správu znova {when}.',
  500: 'Na našej strane nastala chyba. Odošlite, prosím, správu neskôr znova.',
  503: 'Služba je dočasne nedostupná. Odošlite, prosím, správu znova {when}.',
  required: 'Toto pole je povinné.',
  too_long: 'Skráťte text. Maximálny počet znakov: {limit}.',
  invalid_email: 'Zadajte platnú e-mailovú adresu, napríklad name@example.com.',
  invalid_phone: 'Zadajte telefónne číslo aspoň s 3 číslicami.',
};
