// The texts in Slovenian. Replace `const texts = { … };`, at the top of your contact-form.js, by this file.

const texts = {
  language: 'sl',
  sending: 'Pošiljanje …',
  arrived: 'Hvala. Prejeli smo vaše sporočilo.',
  mistakes: 'Popravite napake, nato znova pošljite sporočilo.',
  captcha: 'Opravite varnostno preverjanje, nato znova pošljite sporočilo.',
  unreachable: 'Povezava s storitvijo ni uspela. Preverite internetno povezavo, nato znova pošljite sporočilo.',
  403: 'Vašega sporočila ni bilo mogoče sprejeti. Obrnite se na nas na drug način.',
  413: 'Vaše sporočilo je predolgo. Skrajšajte ga, nato ga znova pošljite.',
  415: 'S tem obrazcem je mogoče poslati samo besedilo. Pošljite sporočilo brez datotek.',
  429: 'Prihaja preveč sporočil. Sporočilo znova pošljite {when}.',
  500: 'Na naši strani je prišlo do napake. Sporočilo znova pošljite pozneje.',
  503: 'Storitev začasno ni na voljo. Sporočilo znova pošljite {when}.',
  required: 'To polje je obvezno.',
  too_long: 'Skrajšajte besedilo. Največje dovoljeno število znakov: {limit}.',
  invalid_email: 'Vnesite veljaven e-poštni naslov, na primer name@example.com.',
  invalid_phone: 'Vnesite telefonsko številko z vsaj 3 števkami.',
};
