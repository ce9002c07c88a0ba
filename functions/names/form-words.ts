// The words of forms that need rules of their own, as `spell` leaves them. Builders of forms and their programmers write most of
// them in English, whatever the language of the page. What people call the fields stands in functions/languages/.

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** Words of forms and not of people: behind them, a name means what it means alone. */
export const formWords = setOf('form field fields data contactform');

/** Words behind a name that say nothing: `message-content`, `email_input`. */
export const endings = setOf('input field box text content body value required optional');

/** Words before a name without a blank between, the longest first: `youremail`. */
export const joined =
  'customer contact visitor client sender fields votre field input from form user your ihre ihr txt req frm fld'.split(
    ' ',
  );

/** Words that mean a phone number only as a whole name, and only if the value looks like one. */
export const numberWords = setOf('number contact contacto contato contatto kontak kontakt nomor numero');

/** Behind words of people, these mean something else: `contact_details`, `order_number`. */
export const vague = setOf(
  'details text content body description number note first last contact beschreibung descripcion detalles descrizione descricao detalhes omschrijving',
);

/** Before `name`, these say that it is no visitor's. */
export const things = setOf(
  'from pet dog cat horse event product course file team company school project hotel tour package domain site website room service class business brand bank street city country state campaign form page list group item plan category menu nick middle maiden user login screen',
);

/** Words for the reader of a form: beside them, its client is somebody else. */
export const forReader = setOf('your votre ihr ihre');
export const clients = setOf('client customer');

/** Words of fields that browsers and pages fill in, and of links. */
export const machineWords = setOf(
  'url uri link website web site homepage page pagina referer referrer source agent useragent browser title titel ip path utm token key redirect template action',
);

/** Parts of the names of numbers that are no phone's, though they can be written like one; of a fax in every language. */
export const otherNumber =
  /fax|faks|факс|φαξ|ファックス|ファクス|传真|傳真|팩스|فاكس|فکس|פקס|แฟกซ์|invoice|order|account|vat/i;
