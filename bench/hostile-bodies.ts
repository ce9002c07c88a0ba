import { contact } from './contact.ts';
import { cpuOf } from './cpu.ts';
import { withCreateHandler } from './create-handler.ts';
import type { Measurement } from './measurement.ts';
import { paired } from './paired.ts';
import type { Part } from './part.ts';

/** The largest body that is taken, in bytes. */
const size = 64 * 1024;
const posts = 64;
const rounds = 7;

/** As often as fits between a beginning and an end. */
const fill = (head: string, unit: (index: number) => string, tail = '', most = size): string => {
  let text = head;
  let bytes = Buffer.byteLength(head + tail);
  for (let index = 0; index < most; index += 1) {
    bytes += Buffer.byteLength(unit(index));
    if (bytes > size) break;
    text += unit(index);
  }
  return text + tail;
};

const json = (head: string, unit: (index: number) => string, tail: string, most?: number) => ({
  contentType: 'application/json',
  body: fill(head, unit, tail, most),
});

const message = (unit: string) => json('{"email":"ada@example.com","message":"a', () => unit, '"}');

/** What opens, then what closes, so that the whole fits. */
const nested = (field: string, open: string, close: string, most = size) => {
  const head = `{"email":"ada@example.com","message":"Hi","${field}":`;
  const depth = Math.min(most, Math.floor((size - head.length - 2) / (open.length + close.length)));
  return { contentType: 'application/json', body: `${head}${open.repeat(depth)}0${close.repeat(depth)}}` };
};

const form = (head: string, unit: (index: number) => string, most?: number) => ({
  contentType: 'application/x-www-form-urlencoded',
  body: fill(head, unit, '', most),
});

const multipart = (head: string, unit: (index: number) => string, most?: number) => ({
  contentType: 'multipart/form-data; boundary=b',
  body: fill(head, unit, '--b--\r\n', most),
});

const disposition = 'Content-Disposition: form-data; name="a"';

/** As large as one gets that is stored: in JSON that is ASCII, as many programs write it. */
const ordinary = json(
  `${JSON.stringify({ ...contact, message: '' }).slice(0, -2)}`,
  () => '\\ud83d\\ude42',
  '"}',
  5_000,
);

/** Bodies that cost more than their bytes tell, or did. */
const corpus: Readonly<Record<string, { readonly contentType: string; readonly body: string }>> = {
  'Combining marks, to be put in order': message('\u0300\u0323'),
  'Combining marks, in a message that fits': {
    contentType: 'application/json',
    body: JSON.stringify({ ...contact, message: `a${'\u0300\u0323'.repeat(2_400)}` }),
  },
  'Characters that decompose into four': message('\u1f82'),
  'Letters that compose into syllables': message('\u1100\u1161\u11a8'),
  'Escaped characters': message('\\u0300'),
  'A long address': json('{"message":"Hi","email":"a@', () => 'a.', 'a"}'),
  'A long phone number': json('{"message":"Hi","phone":"', () => '1', '"}'),
  'Deep lists': nested('notes', '[', ']'),
  '… as deep as is taken': nested('notes', '[', ']', 4_990),
  'Deep lists in the honeypot field': nested('_gotcha', '[', ']'),
  'Deep objects': nested('notes', '{"":', '}'),
  'Many members': json('{"a":0', (index) => `,"${index.toString(36)}":1`, '}'),
  '… as many as are taken': json(
    `${JSON.stringify(contact).slice(0, -1)}`,
    (index) => `,"${index.toString(36)}":1`,
    '}',
    4_990,
  ),
  'A further field of as many values as are taken': json(
    `${JSON.stringify(contact).slice(0, -1)},"notes":["a"`,
    () => ',"a"',
    ']}',
    4_980,
  ),
  'Further fields of combining marks': json(
    `${JSON.stringify(contact).slice(0, -1)}`,
    (index) => `,"${index}":"a${'\u0300\u0323'.repeat(999)}"`,
    '}',
  ),
  'Further fields of letters that compose': json(
    `${JSON.stringify(contact).slice(0, -1)}`,
    (index) => `,"${index}":"${'\u1100\u1161\u11a8'.repeat(660)}"`,
    '}',
  ),
  'Many objects in a list': json('{"notes":[0', () => ',{}', ']}'),
  'Many form fields': form('', (index) => `&${index.toString(36)}`),
  '… as many fields as are taken': form(
    String(new URLSearchParams(contact)),
    (index) => `&${index.toString(36)}=%41`,
    4_990,
  ),
  'One form field, repeated': form('', () => '&=x'),
  'Percent signs': form('email=ada@example.com&message=', () => '%'),
  'Percent-encoded marks': form('email=ada@example.com&message=a', () => '%CC%80'),
  'Plus signs': form('email=ada@example.com&message=', () => '+'),
  'A long type': { contentType: `application/json;x=y${' '.repeat(9_000)}c`, body: JSON.stringify(contact) },
  Ampersands: form('email=ada@example.com&message=Hi', () => '&'),
  'Many parts': multipart('', (index) => `--b\r\n${disposition}; x=${index}\r\n\r\n\r\n`),
  '… as many parts as are taken': multipart('', (index) => `--b\r\n${disposition}; x=${index}\r\n\r\n\r\n`, 495),
  'Many files': multipart('', () => `--b\r\n${disposition}; filename=a\r\n\r\n\r\n`),
  '… as many files as are taken': multipart('', () => `--b\r\n${disposition}; filename=a\r\n\r\n\r\n`, 495),
  'A part of many headers': multipart(`--b\r\n${disposition}`, () => '\r\nX: y'),
  '… as many headers as are taken': multipart(
    `--b\r\n${disposition}`,
    (index) => (index < 495 ? '\r\nX: y' : '\r\n\r\nx\r\n'),
    496,
  ),
};

const measureHostileBodies = (): Promise<Measurement[]> =>
  withCreateHandler(async ({ post }) => {
    const cost = ({ contentType, body }: typeof ordinary) => cpuOf(posts, () => post(contentType, body));
    const measurements: Measurement[] = [];
    for (const [name, body] of Object.entries(corpus)) {
      const { value, ratio } = await paired(
        rounds,
        () => cost(body),
        () => cost(ordinary),
      );
      measurements.push({
        name,
        value,
        unit: 'CPU ms',
        beside: { what: 'an ordinary contact request of 64 KiB as JSON', ratio },
      });
    }
    return measurements;
  });

export const hostileBodies: Part = {
  title: 'CPU of hostile bodies',
  tells:
    'What the handler takes for the worst that fits into 64 KiB, whether it is refused or stored; the store runs in a process of its own and is not counted. No body may cost more than five times an ordinary one of its size.',
  measure: measureHostileBodies,
};
