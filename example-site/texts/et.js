// The texts in Estonian. Replace `const texts = { … };`, at the top of your contact-form.js, by this file.

const texts = {
  language: 'et',
  sending: 'Saatmine…',
  arrived: 'Täname. Oleme teie sõnumi kätte saanud.',
  mistakes: 'Palun parandage vead ja saatke sõnum uuesti.',
  captcha: 'Palun tehke turvakontroll lõpuni ja saatke sõnum uuesti.',
  unreachable: 'Teenusega ei saanud ühendust. Palun kontrollige internetiühendust ja saatke sõnum uuesti.',
  403: 'Teie sõnumit ei saanud vastu võtta. Palun võtke meiega ühendust muul viisil.',
  413: 'Teie sõnum on liiga pikk. Palun lühendage seda ja saatke uuesti.',
  415: 'Selle vormiga saab saata ainult teksti. Palun saatke sõnum ilma failideta.',
  429: 'Sõnumeid saabub liiga palju. Palun saatke sõnum {when} uuesti.',
  500: 'Meie poolel tekkis viga. Palun saatke sõnum hiljem uuesti.',
  503: 'Teenus on ajutiselt kättesaamatu. Palun saatke sõnum {when} uuesti.',
  required: 'See väli on kohustuslik.',
  too_long: 'Lühendage teksti. Suurim lubatud tähemärkide arv: {limit}.',
  invalid_email: 'Sisestage korrektne e-posti aadress, näiteks name@example.com.',
  invalid_phone: 'Sisestage vähemalt 3-kohaline telefoninumber.',
};
