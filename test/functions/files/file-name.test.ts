import { expect, it } from 'vitest';
import { fileNameOf, visibleName } from '../../../functions/files/file-name.ts';

it.each([
  ['CV Ada Lovelace.pdf', 'CV Ada Lovelace.pdf'],
  ['CV.PDF', 'CV.PDF'],
  ['C:\\Users\\ada\\cv.pdf', 'cv.pdf'],
  ['../../etc/cv.pdf', 'cv.pdf'],
  ['..', 'file.pdf'],
  ['', 'file.pdf'],
  ['.pdf', 'pdf.pdf'],
  ['.htaccess', 'htaccess.pdf'],
  ['cv', 'cv.pdf'],
  ['cv.html', 'cv.html.pdf'],
  ['cv.exe ', 'cv.exe.pdf'],
  ['cv.pdf.', 'cv.pdf'],
  ['cv\u202efdp.exe', 'cvfdp.exe.pdf'],
  ['\u200bcv\u0000\r\n\u0085.pdf', 'cv.pdf'],
  ['Lebenslauf Mu\u0308ller.pdf', 'Lebenslauf Müller.pdf'],
  ['履歴書.pdf', '履歴書.pdf'],
  ['🙂.pdf', '🙂.pdf'],
  ['half \ud83d.pdf', 'half \ufffd.pdf'],
  [`${'x'.repeat(300)}.pdf`, `${'x'.repeat(96)}.pdf`],
  [`${'🙂'.repeat(300)}.pdf`, `${'🙂'.repeat(96)}.pdf`],
  [`${'\u0301'.repeat(60_000)}.pdf`, expect.stringMatching(/^.{96}\.pdf$/su)],
])('%j is called %j', (sent, name) => {
  expect(fileNameOf(visibleName(sent), ['pdf'])).toEqual(name);
});

it('keeps any extension of its type, and adds the usual one', () => {
  expect(['a.jpeg', 'a.jfif', 'a.png'].map((name) => fileNameOf(name, ['jpg', 'jpeg', 'jfif']))).toEqual([
    'a.jpeg',
    'a.jfif',
    'a.png.jpg',
  ]);
});
