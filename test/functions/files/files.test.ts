import { DeleteCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { english } from '../../../functions/languages/load.ts';
import { idIn, idsIn, minimal, startContacts, startForms } from '../../support/contacts.ts';
import { docx, officeOf } from '../../support/containers.ts';
import { type FilesService, multipartOf, withS3 } from '../../support/files.ts';
import { logLines, logText } from '../../support/log.ts';
import { client } from '../../support/tables.ts';

const { start } = withS3();

const pdfOf = (bytes: number) => Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(bytes - 9, 'x')]);
const jpegOf = (bytes: number) => Buffer.concat([Buffer.from('ffd8ffe1', 'hex'), Buffer.alloc(bytes - 4, 1)]);
const file = (content: Buffer | string, name: string) => new File([content], name);

const { errors } = english.pages;
const fields = Object.entries(minimal);
const cv = ['cv', file(pdfOf(100), 'CV.pdf')] as const;
const plainForm = { Accept: 'text/html' };
const keyed = { 'Idempotency-Key': 'k' };

/** What is in the table: contact requests and the counters of days. */
const itemsOf = async ({ table }: FilesService) => {
  const { Items: items = [] } = await client.send(new ScanCommand({ TableName: table, ConsistentRead: true }));
  const counters = items.filter(({ id }) => String(id).includes('files '));
  return { contacts: items.filter((item) => !counters.includes(item)), counters };
};

const onlyItemOf = async (service: FilesService) => {
  const { contacts } = await itemsOf(service);
  expect(contacts).toHaveLength(1);
  return contacts[0] ?? {};
};

/** The objects in the order of their keys. */
const objectsOf = ({ s3 }: FilesService) => [...s3.objects].toSorted(([one], [other]) => (one < other ? -1 : 1));

describe('files of a form that accepts them', () => {
  it('are stored byte for byte, with what a browser needs to save them: a CV of 3 MB by a plain form', async () => {
    const service = await start();
    const content = pdfOf(3_000_000);
    const { status, text } = await service.submit(
      [...fields, ['cv', file(content, 'Lebenslauf (Müller).pdf')]],
      plainForm,
    );
    expect([status, text]).toEqual([201, expect.stringContaining('Thank you')]);
    const { id, upload, files } = await onlyItemOf(service);
    expect(JSON.parse(files)).toEqual([{ name: 'Lebenslauf (Müller).pdf', type: 'application/pdf', size: 3_000_000 }]);
    const [[key, object] = []] = objectsOf(service);
    expect(key).toBe(`${id}/${upload}/0`);
    expect(object?.content.equals(content)).toBe(true);
    expect(object?.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition':
        'attachment; filename="Lebenslauf (M_ller).pdf"; filename*=UTF-8\'\'Lebenslauf%20%28M%C3%BCller%29.pdf',
    });
  });

  it('are shown by all who read them in their order: three photos', async () => {
    const service = await start();
    const photos = [1_400_000, 1_300_000, 1_200_000].map((size, at) => file(jpegOf(size), `IMG_${at}.jpeg`));
    const response = await service.submit([...fields, ...photos.map((photo) => ['roof', photo] as const)]);
    const id = idIn(response);
    const files = photos.map(({ name, size }) => ({ name, type: 'image/jpeg', size }));
    expect(response.body).toMatchObject({ ...minimal, form: 'jobs', files });
    expect(objectsOf(service).map(([, { content }]) => content.length)).toEqual(files.map(({ size }) => size));
    expect((await service.list()).body).toEqual([expect.objectContaining({ id, files })]);
    expect((await service.list({ headers: { Accept: 'text/csv' } })).text).toContain('IMG_0.jpeg; IMG_1.jpeg; IMG_2');
  });

  it('are stored before the contact request, and its log has their number and bytes, but no name or type', async () => {
    const service = await start();
    await service.submit([...fields, ['cv', file(docx, 'secret name.docx')]]);
    expect(logLines()).toContainEqual(
      expect.objectContaining({ level: 'info', message: 'files stored', count: 1, bytes: docx.length }),
    );
    expect(logText()).not.toMatch(/secret|officedocument/);
  });

  it('make a contact request by themselves, and meet `required`', async () => {
    const { submit } = await start({ required: ['cv'] });
    expect((await submit([cv])).body).toMatchObject({ files: [{ name: 'CV.pdf' }] });
    expect(await submit([...fields, ['cv', file('', '')]])).toMatchObject({
      status: 400,
      body: { details: [{ field: 'cv', code: 'required' }] },
    });
  });

  it('can be absent, so the form is an ordinary one, and an empty file input among others is no file', async () => {
    const service = await start();
    expect((await service.submit([...fields, ['cv', file('', '')]])).body).not.toHaveProperty('files');
    expect(service.s3.calls).toEqual([]);
    const { body } = await service.submit([...fields, ['a', file('', '')], cv, ['b', file('', '')]]);
    expect(body).toMatchObject({ files: [{ name: 'CV.pdf' }] });
  });
});

describe('a refused file', () => {
  it.each([
    ['another type', [['cv', file('MZ\x90', 'CV.pdf')]], { field: 'cv', code: 'file_type' }],
    ['a lying name', [['cv', file('<html>', 'photo.jpg')]], { field: 'cv', code: 'file_type' }],
    ['a type that this form does not accept', [['cv', file('Hello', 'a.txt')]], { field: 'cv', code: 'file_type' }],
    [
      'a document with macros',
      [['cv', file(officeOf('ms-word.document.macroEnabled.main+xml'), 'a.docx')]],
      { field: 'cv', code: 'file_type' },
    ],
    ['no content', [['cv', file('', 'CV.pdf')]], { field: 'cv', code: 'empty_file' }],
    ['too many others', Array.from({ length: 3 }, () => cv), { field: 'cv', code: 'too_many_files', limit: 2 }],
  ] as const)('has %s: the response says so, and nothing is stored', async (_, files, error) => {
    const service = await start({ accepted: { max: 2, types: ['pdf', 'jpeg', 'office'] } });
    const response = await service.submit([...fields, ...files]);
    expect(response).toMatchObject({ status: 400, body: { details: [error] } });
    expect([await itemsOf(service), service.s3.calls]).toEqual([{ contacts: [], counters: [] }, []]);
  });

  it('is named on the page, with what the form accepts, beside all other errors', async () => {
    const { submit } = await start({ accepted: { types: ['pdf', 'text'] } });
    const { text } = await submit(
      [
        ['email', 'x'],
        ['cv', file('MZ', 'cv.exe')],
        ['cv', file('', 'cv')],
        ['photo', file('', 'a.jpg')],
      ],
      { ...plainForm, Origin: 'https://www.example.com' },
    );
    expect([...text.matchAll(/<dt dir="auto">(.*)<\/dt>\n<dd>(.*)<\/dd>/g)].map(([, ...words]) => words)).toEqual([
      ['Email address', errors.invalid_email],
      ['cv', errors.file_type?.replace('{types}', 'PDF, TXT, CSV')],
      ['photo', errors.empty_file],
    ]);
  });

  it('is too large: the response says what was sent and what is possible', async () => {
    const service = await start();
    const form = [...fields, ['cv', file(pdfOf(4_400_001), 'CV.pdf')]] as const;
    expect(await service.submit(form)).toMatchObject({
      status: 413,
      body: { details: [{ field: 'cv', code: 'files_too_large', limit: 4_400_000 }] },
    });
    const page = await service.submit(form, { ...plainForm, Origin: 'https://www.example.de' });
    expect(page.text).toMatch(/4,5\D+4,4/);
    expect(service.s3.calls).toEqual([]);
  });

  it('has a form that accepts none, which says to send without files', async () => {
    const { create, s3 } = await start();
    const { type, body } = await multipartOf([...fields, cv]);
    const sent = { headers: { 'Content-Type': type }, body };
    expect(await create(sent)).toMatchObject({ status: 415, body: { error: 'Unsupported Media Type' } });
    const page = await create({ ...sent, headers: { ...sent.headers, ...plainForm } });
    expect(page.text).toContain('without files');
    expect(s3.calls).toEqual([]);
  });

  it('has an environment that accepts none, however large it is', async () => {
    const forms = new Map([['jobs', { files: { max: 5, types: ['pdf' as const] } }]]);
    const { create } = startForms({ forms });
    const post = async (bytes: number) => {
      const { type, body } = await multipartOf([...fields, ['form-name', 'jobs'], ['cv', file(pdfOf(bytes), 'a.pdf')]]);
      return (await create({ headers: { 'Content-Type': type }, body })).status;
    };
    expect([await post(1_000), await post(64 * 1024)]).toEqual([415, 413]);
  });
});

describe('what is sent again', () => {
  const forms = [
    ['a plain form', plainForm],
    ['a key', keyed],
  ] as const;

  it.each(forms)('by %s is stored and counted once', async (_, headers) => {
    const service = await start();
    const first = await service.submit([...fields, cv], headers);
    const again = await service.submit([...fields, cv], headers);
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.text).toBe(first.text);
    expect(service.s3.calls).toHaveLength(1);
    expect(await itemsOf(service)).toMatchObject({ contacts: [{}], counters: [{ bytes: 100_000 }] });
  });

  it.each(forms)('by %s at the same moment is stored once, and both get 201', async (_, headers) => {
    const service = await start();
    const both = await Promise.all([1, 2].map(() => service.submit([...fields, cv], headers)));
    expect(both.map(({ status }) => status)).toEqual([201, 201]);
    const { id, upload } = await onlyItemOf(service);
    expect([...service.s3.objects.keys()]).toContain(`${id}/${upload}/0`);
  });

  it.each([
    ['another name', file(pdfOf(100), 'CV 2.pdf')],
    ['another content', file(pdfOf(100).fill('y', 50), 'CV.pdf')],
    ['another size', file(pdfOf(101), 'CV.pdf')],
    ['no file', undefined],
  ])(
    'with %s is another contact request by a plain form, and a conflict by a key, before anything is written',
    async (_, other) => {
      const service = await start();
      const others = other ? [...fields, ['cv', other] as const] : fields;
      const first = idIn(await service.submit([...fields, cv], keyed));
      const before = [await itemsOf(service), [...service.s3.objects.keys()]];
      expect(await service.submit(others, keyed)).toMatchObject({
        status: 422,
        body: { details: [{ code: 'idempotency_key_reused' }] },
      });
      expect([await itemsOf(service), [...service.s3.objects.keys()]]).toEqual(before);
      for (const each of [[...fields, cv], others]) await service.submit(each, plainForm);
      expect(new Set(idsIn(await service.list())).add(first).size).toBe(3);
    },
  );
});

describe('if the bucket', () => {
  it('fails for a moment, the files are put again', async () => {
    const service = await start();
    service.s3.failures.push(503, 500);
    expect((await service.submit([...fields, cv])).status).toBe(201);
    expect(objectsOf(service)).toHaveLength(1);
  });

  it.each([
    ['goes on failing', [503, 503, 503]],
    ['refuses', [403]],
    ['does not respond', ['hangs', 'hangs', 'hangs']],
  ] as const)('%s, nothing is shown, and the visitor can send again', async (_, failures) => {
    const service = await start({ timeoutAfter: () => AbortSignal.timeout(50) });
    service.s3.failures.push(...failures);
    const response = await service.submit([...fields, cv], keyed);
    expect(response).toMatchObject({ status: 503, headers: { 'Retry-After': '5' } });
    expect((await itemsOf(service)).contacts).toEqual([]);
    expect(logLines()).toContainEqual(
      expect.objectContaining({ level: 'error', message: 'files failed', reason: expect.stringMatching(/^s3: /) }),
    );
    expect((await service.submit([...fields, cv], keyed)).status).toBe(201);
  });
});

describe('the limit of a day', () => {
  const day = 24 * 60 * 60 * 1000;

  it('bounds the bytes that are stored, and is counted for an alarm', async () => {
    let now = new Date('2026-03-01T23:59:59.000Z');
    const service = await start({ dailyBytes: 250_000, now: () => now });
    const statuses = [];
    for (const index of [1, 2, 3]) statuses.push((await service.submit([...fields, cv, ['a', `${index}`]])).status);
    expect(statuses).toEqual([201, 201, 413]);
    expect(service.counts).toContainEqual(['FilesRefused']);
    expect(await itemsOf(service)).toMatchObject({
      counters: [{ id: 'files 2026-03-01', bytes: 200_000, expiresAt: now.getTime() / 1000 + 2 * 24 * 60 * 60 }],
    });
    const page = await service.submit([...fields, cv], { ...plainForm, Origin: 'https://www.example.com' });
    expect(page.text).toContain('without files');
    expect((await service.submit(fields)).status).toBe(201);
    now = new Date(now.getTime() + day);
    expect((await service.submit([...fields, cv])).status).toBe(201);
  });

  it('counts large files as they are, and small ones as 100 KB, because each has a price, too', async () => {
    const service = await start();
    await service.submit([...fields, cv, ['photo', file(pdfOf(300_000), 'Large.pdf')]]);
    expect(await itemsOf(service)).toMatchObject({ counters: [{ bytes: 400_000 }] });
  });

  it('never lets one contact request exceed it', async () => {
    const { submit } = await start({ dailyBytes: 99_999 });
    expect(await submit([...fields, cv])).toMatchObject({
      status: 413,
      body: { details: [{ field: 'cv', code: 'daily_files_limit' }] },
    });
  });

  it('is another one for what a defence caught, which takes nothing from the others', async () => {
    const service = await start({ dailyBytes: 100_000, caughtDailyBytes: 100_000 });
    const caught = [...fields, cv, ['_gotcha', 'x']] as const;
    expect([(await service.submit(caught)).status, (await service.submit(caught)).status]).toEqual([201, 413]);
    expect(service.counts).not.toContainEqual(['FilesRefused']);
    expect((await service.submit([...fields, cv])).status).toBe(201);
    const { counters } = await itemsOf(service);
    expect(counters.map(({ id }) => id).toSorted()).toEqual(['caught files 2026-03-01', 'files 2026-03-01']);
    const { body } = await service.list({ query: [['spam', 'true']] });
    expect(body).toMatchObject([{ spamReason: 'trap', files: [{ name: 'CV.pdf' }] }]);
  });

  it('counts what a captcha caught as caught, and no captcha is spent on files that are refused', async () => {
    let asked = 0;
    const captcha = async () => {
      asked += 1;
      return 'unsolved' as const;
    };
    const service = await start({ captcha });
    await service.submit([...fields, ['cv', file('', 'CV.pdf')]]);
    expect(asked).toBe(0);
    expect((await service.submit([...fields, cv])).status).toBe(201);
    expect((await itemsOf(service)).counters).toMatchObject([{ id: 'caught files 2026-03-01' }]);
  });
});

describe('a multipart body', () => {
  const boundary = '----WebKitFormBoundary7MA4YWxkTrZu0gW';
  type Part = readonly [head: string, content: Buffer | string];
  const partsOf = (...parts: readonly Part[]) =>
    Buffer.concat([
      ...parts.flatMap(([head, content]) => [
        Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`, 'latin1'),
        Buffer.from(content),
        Buffer.from('\r\n'),
      ]),
      Buffer.from(`--${boundary}--\r\n`),
    ]);
  const job = ['name="form-name"', 'jobs'] as const;
  const text = ['name="message"', 'Hello'] as const;

  const post = async (...parts: readonly Part[]) => {
    const service = await start();
    const headers = { 'Content-Type': `multipart/form-data; boundary=${boundary}` };
    const response = await service.create({ headers, body: partsOf(job, ...parts) });
    return { ...response, contents: objectsOf(service).map(([, { content }]) => content) };
  };

  it('of an old page is read in its encoding, and its files as they are', async () => {
    const content = Buffer.concat([pdfOf(10), Buffer.from([0xfc, 0x80, 0, 0x26]), Buffer.from('&#1055;&#1055;')]);
    const { body, contents } = await post(
      ['name="message"', Buffer.from('Gr\xfc\xdfe \x80', 'latin1')],
      ['name="cv"; filename="M\xfcller.pdf"\r\nContent-Type: application/pdf', content],
    );
    expect(body).toMatchObject({ message: 'Grüße €', files: [{ name: 'Müller.pdf' }] });
    expect(contents).toEqual([content]);
  });

  it.each([
    ['its boundary within a line', `x--${boundary}--`],
    ['half of its boundary', `\r\n--${boundary.slice(0, 20)}\r\n\r\n`],
    ['the headers of a part', '\r\n\r\nContent-Disposition: form-data; name="email"\r\n\r\nx'],
    ['line breaks at its end', '\r\n\r\n\r\n'],
  ])('can have a file with %s', async (_, inside) => {
    const content = Buffer.concat([pdfOf(20), Buffer.from(inside)]);
    const { body, contents } = await post(text, ['name="cv"; filename="a.pdf"', content]);
    expect([body, contents]).toMatchObject([{ message: 'Hello', files: [{ size: content.length }] }, [content]]);
  });

  it.each([
    ['a name with quotes', 'name="cv"; filename="a %22b%22.pdf"', 'a "b".pdf'],
    ['a name as RFC 8187 has it', `name=cv; filename=a.pdf; filename*=utf-8''%C3%BC.pdf`, 'ü.pdf'],
    ['headers in other letters', 'name="cv";FileName="a.pdf"\r\ncontent-TYPE:text/html', 'a.pdf'],
    ['no name but a content', 'name="cv"; filename=""', 'file.pdf'],
    ['a path', 'name="cv"; filename="C:\\Users\\a.pdf"', 'a.pdf'],
  ])('can have a file with %s', async (_, head, name) => {
    const { body } = await post(text, [head, pdfOf(20)]);
    expect(body).toMatchObject({ files: [{ name, type: 'application/pdf', size: 20 }] });
  });

  it.each([
    ['without a file name', 'name="note"\r\nContent-Type: application/pdf'],
    ['of a field that is called like one', 'name="note"; x="; filename=a"'],
  ])('can have a text %s', async (_, head) => {
    const { body } = await post(text, [head, '%PDF-']);
    expect(body).toMatchObject({ message: 'Hello', extra: { note: '%PDF-' } });
    expect(body).not.toHaveProperty('files');
  });

  it('can have at most 64 KiB of text beside files', async () => {
    const cvPart = ['name="cv"; filename="a.pdf"', pdfOf(100_000)] as const;
    expect((await post(['name="message"', 'x'.repeat(64 * 1024)], cvPart)).status).toBe(413);
    expect((await post([`name="${'x'.repeat(64 * 1024)}"; filename="a.pdf"`, pdfOf(20)])).status).toBe(413);
    expect((await post(text, cvPart)).status).toBe(201);
  });

  it.each([
    ['500 files', Array.from({ length: 500 }, () => ['name="cv"; filename="a.pdf"', pdfOf(10)] as const), 'too_many'],
    ['an encoded file', [['name="cv"; filename="a.pdf"\r\nContent-Transfer-Encoding: base64', 'eA==']], 'encoded_part'],
    ['a boundary with a tail', [['name="cv"; filename="a"', `\r\n--${boundary}x\r\n`]], 'malformed_multipart'],
  ] as const)('is refused for %s', async (_, parts, code) => {
    expect(await post(text, ...parts)).toMatchObject({ status: 400, body: { details: [{ field: 'body', code }] } });
  });
});

describe('of a contact request, staff get', () => {
  const sent = [...fields, cv, ['photo', file(jpegOf(50), 'roof.jpg')]] as const;

  const shownBy = async ({ get }: FilesService, id: string) => (await get({ pathParameters: { id } })).body;

  it.each([
    ['clean', 'NO_THREATS_FOUND', true],
    ['infected', 'THREATS_FOUND', false],
    ['unknown', 'UNSUPPORTED', true],
    ['unknown', 'ACCESS_DENIED', true],
    ['unknown', 'FAILED', true],
    ['pending', undefined, false],
  ])('a file as %s if the scanner says %s', async (state, scanned, hasUrl) => {
    const service = await start({ scan: true });
    const id = idIn(await service.submit(sent));
    for (const [key] of objectsOf(service)) if (scanned !== undefined) service.s3.scans.set(key, scanned);
    expect(await shownBy(service, id)).toMatchObject({
      id,
      files: [
        { name: 'CV.pdf', type: 'application/pdf', size: 100, state },
        { name: 'roof.jpg', type: 'image/jpeg', size: 50, state },
      ].map((each) => ({ ...each, ...(hasUrl && { url: expect.any(String) }) })),
    });
    if (!hasUrl) expect(JSON.stringify(await shownBy(service, id))).not.toContain('"url"');
  });

  it('a URL of five minutes, with which anyone gets this file and no other', async () => {
    const service = await start();
    const id = idIn(await service.submit(sent));
    const text = JSON.stringify(await shownBy(service, id));
    const urls = [...text.matchAll(/"state":"unknown","url":"([^"]+)"/g)].map(([, url = '']) => new URL(url));
    expect(urls.map(({ searchParams }) => searchParams.get('X-Amz-Expires'))).toEqual(['300', '300']);
    const [[, one] = [], [, other] = []] = objectsOf(service);
    const contents = await Promise.all(urls.map(async (url) => Buffer.from(await (await fetch(url)).bytes())));
    expect(contents).toEqual([one?.content, other?.content]);
    const [url = new URL('about:blank')] = urls;
    url.pathname = url.pathname.replace(/0$/, '1');
    expect((await fetch(url)).status).toBe(403);
  });

  it('no URL of a file that is gone, or of which nobody can say what it is', async () => {
    const service = await start();
    const id = idIn(await service.submit([...fields, cv]));
    const without = { files: [{ name: 'CV.pdf', type: 'application/pdf', size: 100, state: 'unknown' }] };
    service.s3.failures.push(403);
    const unreadable = await shownBy(service, id);
    expect(unreadable).toMatchObject(without);
    expect(logLines()).toContainEqual(expect.objectContaining({ level: 'warn', message: 'state of a file not read' }));
    service.s3.objects.clear();
    for (const body of [unreadable, await shownBy(service, id)]) expect(body).toMatchObject(without);
    expect(JSON.stringify(unreadable)).not.toContain('"url"');
  });

  it('names and sizes alone where the environment has no files any more', async () => {
    const service = await start();
    const id = idIn(await service.submit([...fields, cv]));
    const later = await startContacts(undefined, {}, { client, table: service.table });
    const calls = service.s3.calls.length;
    expect((await later.get({ pathParameters: { id } })).body).toMatchObject({
      files: [{ name: 'CV.pdf', type: 'application/pdf', size: 100 }],
    });
    expect(service.s3.calls).toHaveLength(calls);
  });

  it('nothing of the keys', async () => {
    const service = await start();
    const id = idIn(await service.submit([...fields, cv]));
    const { upload, filesHash } = await onlyItemOf(service);
    const shown = JSON.stringify([(await service.list()).body, (await service.submit([...fields, cv], keyed)).body]);
    expect(shown).not.toContain(upload);
    expect(shown + JSON.stringify(await shownBy(service, id))).not.toContain(filesHash);
  });
});

it('files of a deleted contact request are no earlier ones: a key is free again', async () => {
  const service = await start();
  const id = idIn(await service.submit([...fields, cv], keyed));
  await client.send(new DeleteCommand({ TableName: service.table, Key: { id } }));
  expect(idIn(await service.submit([...fields, cv], keyed))).toBe(id);
  expect(service.s3.objects.size).toBe(2);
});
