// What the inbox saves as CSV: the file of `crcs contacts export`. The rule of functions/contacts/csv.ts, which says why each
// part of it is safe, and a test compares the two.

/** The fields of a contact request, but not the extra ones. */
export const columns =
  'id createdAt email phone company message firstName lastName site form campaign releasedAt files'.split(' ');

/** The service writes these itself, in a form that no spreadsheet changes. */
const ownColumns = new Set(['id', 'createdAt', 'releasedAt']);

/** So many extra fields have a column of their own, the most frequent. */
const extraColumns = 100;

const innerFormula = /([,;\t\r\n])(["'\p{Z}]*)([=+\-@\uff1d\uff0b\uff0d\uff20])/gu;
const formulaOrApostrophe = /^(?:["'\p{Z}]*[=+\-@\uff1d\uff0b\uff0d\uff20]|')/u;
const wholeNumber = /^(?:0|[1-9][0-9]{0,10})$/;
const address = /@|:\/\//;
const lettersOfText = 30;
const booleans = new Set(
  (
    'TRUE FALSE WAHR FALSCH VRAI FAUX VERDADERO VERDADEIRO FALSO VERO WAAR ONWAAR SANT FALSKT SAND FALSK SANN USANN ' +
    'TOSI EPÄTOSI PRAWDA FAŁSZ PRAVDA NEPRAVDA IGAZ HAMIS ADEVĂRAT FALS TOČNO NETOČNO TAČNO NETAČNO ТАЧНО НЕТАЧНО ' +
    'TÕENE VÄÄR TEISINGAI NETEISINGAI PATIESS APLAMS DOĞRU YANLIŞ ИСТИНА ЛОЖЬ ІСТИНА БРЕХНЯ ВЯРНО НЕВЯРНО ' +
    'ΣΩΣΤΌ ΛΆΘΟΣ BENAR SALAH ĐÚNG SAI صح خطأ صحيح خاطئ درست نادرست सही गलत จริง เท็จ 참 거짓 真 假'
  ).split(' '),
);

function isPlain(text) {
  if (formulaOrApostrophe.test(text)) return false;
  if (!/\p{Nd}/u.test(text)) return !booleans.has(text.trim().toUpperCase());
  return wholeNumber.test(text) || address.test(text) || (text.match(/\p{L}/gu) ?? []).length >= lettersOfText;
}

const withoutInnerFormulas = (text) => text.replaceAll(innerFormula, "$1'$2$3");

const textCell = (text) => `${isPlain(text) ? '' : "'"}${withoutInnerFormulas(text)}`;

const jsonCell = (value) =>
  JSON.stringify(value).replaceAll(
    innerFormula,
    (_, separator, blanks, start) => `${separator}${blanks}\\u${start.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Excel expects semicolons where a comma is in its numbers, and otherwise puts a whole row into one cell. */
export const separatorIn = (locale) => (new Intl.NumberFormat(locale).format(1.5).includes('.') ? ',' : ';');

/** The parts of a CSV file (RFC 4180). Excel reads UTF-8 only behind its mark. */
export function csvOf(contacts, separator) {
  const uses = Map.groupBy(
    contacts.flatMap(({ extra = {} }) => Object.keys(extra)),
    (name) => name,
  );
  const byNumber = (one, other) => uses.get(other).length - uses.get(one).length || (one < other ? -1 : 1);
  const names = [...uses.keys()].sort(byNumber).slice(0, extraColumns);
  const quoted = (cell) =>
    cell.includes(separator) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
  const toRow = (cells) => `${cells.map(quoted).join(separator)}\r\n`;
  const header = [...columns, ...names.map((name) => withoutInnerFormulas(`extra.${name}`)), 'extra'];
  const rows = contacts.map((contact) => {
    const fields = columns.map((name) => {
      const value =
        name === 'files' ? (contact.files ?? []).map((file) => file.name).join('; ') : (contact[name] ?? '');
      return ownColumns.has(name) ? value : textCell(value);
    });
    const rest = new Map(Object.entries(contact.extra ?? {}));
    const named = names.map((name) => textCell([rest.get(name) ?? ''].flat().join('\n')));
    for (const name of names) rest.delete(name);
    return toRow([...fields, ...named, rest.size > 0 ? jsonCell(Object.fromEntries(rest)) : '']);
  });
  return ['\ufeff', toRow(header), ...rows];
}
