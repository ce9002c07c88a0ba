// The texts in Czech. Replace `const texts = { … };`, at the top of your contact-form.js, by this file.

const texts = {
  language: 'cs',
  sending: 'Odesílání…',
  arrived: 'Děkujeme. Obdrželi jsme vaši zprávu.',
  mistakes: 'Opravte prosím chyby a odešlete zprávu znovu.',
  captcha: 'Dokončete prosím bezpečnostní ověření a odešlete zprávu znovu.',
  unreachable: 'Ke službě se nepodařilo připojit. Zkontrolujte prosím připojení k internetu a odešlete zprávu znovu.',
  403: 'Vaši zprávu nebylo možné přijmout. Kontaktujte nás prosím jiným způsobem.',
  413: 'Vaše zpráva je příliš dlouhá. Zkraťte ji prosím a odešlete znovu.',
  415: 'Tímto formulářem lze odeslat pouze text. Odešlete prosím zprávu bez souborů.',
  429: 'Přichází příliš mnoho zpráv. Odešlete prosím svou zprávu znovu {when}.',
  500: 'Na naší straně došlo k chybě. Odešlete prosím zprávu později znovu.',
  503: 'Služba je dočasně nedostupná. Odešlete prosím zprávu znovu {when}.',
  required: 'Toto pole je povinné.',
  too_long: 'Zkraťte text. Maximální počet znaků: {limit}.',
  invalid_email: 'Zadejte platnou e-mailovou adresu, například name@example.com.',
  invalid_phone: 'Zadejte telefonní číslo alespoň se 3 číslicemi.',
};
