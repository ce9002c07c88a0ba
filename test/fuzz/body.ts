import type { Create } from './steps.ts';

/** A body, and the type that it is sent with. */
export interface Body {
  readonly bytes: Buffer;
  readonly contentType: string | undefined;
}

const boundary = 'fuzz-7d3a1c';

/** A field that counts as absent, since it is blank, and that fills a body. */
const filler = 'padding';

const noUtf8 = Buffer.of(0x61, 0xff);

const join = (...parts: readonly (string | Buffer)[]) => Buffer.concat(parts.map((part) => Buffer.from(part)));

const padded = (size: number, build: (padding: string) => Buffer): Buffer => {
  if (size === 0) return build('');
  const least = build(' ').length - 1;
  return build(' '.repeat(Math.max(1, size - least)));
};

const jsonBody = ({ fields, flaw }: Create, padding: string): Buffer => {
  const pairs = fields.map(([name, text]) => `${JSON.stringify(name)}:${text}`);
  if (padding) pairs.push(`"${filler}":"${padding}"`);
  const start = `{${pairs.join(',')}`;
  if (flaw === 'cut') return join(start);
  if (flaw === 'no-object') return join('[', start, '}]');
  return flaw === 'bad-utf8' ? join(start, pairs.length > 0 ? ',' : '', '"company":"', noUtf8, '"}') : join(start, '}');
};

const urlEncodedBody = ({ fields, flaw }: Create, padding: string): Buffer => {
  const pairs: (string | Buffer)[] = fields.map(
    ([name, value]) => `&${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(value.toWellFormed())}`,
  );
  if (padding) pairs.push(`&${filler}=${padding}`);
  if (flaw === 'bad-percent') pairs.push('&other=%ff');
  if (flaw === 'bad-utf8') pairs.push(join('&company=', noUtf8));
  return join(...pairs);
};

/** https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data */
const escapeName = (name: string) => name.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22');

const part = (name: string, value: string | Buffer, more = '') =>
  join(`--${boundary}\r\nContent-Disposition: form-data; name="${escapeName(name)}"${more}\r\n\r\n`, value, '\r\n');

const multipartBody = ({ fields, flaw }: Create, padding: string): Buffer => {
  const parts = fields.map(([name, value]) => part(name, value));
  if (padding) parts.push(part(filler, padding));
  if (flaw === 'bad-utf8') parts.push(part('other', noUtf8));
  if (flaw === 'file') parts.push(part('other', 'text', '; filename="a.txt"\r\nContent-Type: text/plain'));
  return join(...parts, flaw === 'cut' ? '' : `--${boundary}--\r\n`);
};

const types = { json: 'application/json', urlencoded: 'application/x-www-form-urlencoded' } as const;

export const bodyOf = (create: Create): Body => {
  const { type, typeDetail, size, flaw } = create;
  switch (type) {
    case 'json':
      return { bytes: padded(size, (padding) => jsonBody(create, padding)), contentType: types[type] + typeDetail };
    case 'urlencoded':
      return {
        bytes: padded(size, (padding) => urlEncodedBody(create, padding)),
        contentType: types[type] + typeDetail,
      };
    case 'multipart': {
      const parameter = flaw === 'no-boundary' ? '' : `; boundary=${boundary}`;
      return {
        bytes: padded(size, (padding) => multipartBody(create, padding)),
        contentType: `multipart/form-data${parameter}`,
      };
    }
    default:
      return {
        bytes: padded(size, (padding) => urlEncodedBody(create, padding)),
        contentType: type === 'none' ? undefined : typeDetail,
      };
  }
};
