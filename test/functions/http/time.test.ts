import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { rfc3339Time } from '../../../functions/http/query.ts';

const parse = (text: string) => {
  const result = v.safeParse(rfc3339Time, text);
  return result.success ? result.output : undefined;
};

describe('an RFC 3339 time', () => {
  it.each([
    ['2026-03-01T12:30:45Z', '2026-03-01T12:30:45.000Z'],
    ['2026-03-01t12:30:45z', '2026-03-01T12:30:45.000Z'],
    ['2026-03-01 12:30:45Z', '2026-03-01T12:30:45.000Z'],
    ['2026-03-01T12:30:45.067Z', '2026-03-01T12:30:45.067Z'],
    ['2026-03-01T12:30:45.067000000000000000000Z', '2026-03-01T12:30:45.067Z'],
    ['2026-03-01T12:30:45.0670001Z', '2026-03-01T12:30:45.068Z'],
    ['2026-03-01T12:30:45.0000000000000000001Z', '2026-03-01T12:30:45.001Z'],
    ['2026-02-28T23:59:59.9999Z', '2026-03-01T00:00:00.000Z'],
    ['2026-03-01T00:30:00+01:00', '2026-02-28T23:30:00.000Z'],
    ['2026-03-01T00:00:00-23:59', '2026-03-01T23:59:00.000Z'],
    ['2000-02-29T00:00:00Z', '2000-02-29T00:00:00.000Z'],
    ['0000-01-01T00:00:00Z', '0000-01-01T00:00:00.000Z'],
    // strftime's %z, PHP's DATE_ISO8601
    ['2026-03-01T12:30:45+0100', '2026-03-01T11:30:45.000Z'],
    ['2026-03-01T12:30:45.067001-0130', '2026-03-01T14:00:45.068Z'],
    // PostgreSQL
    ['2026-03-01 12:30:45.5+01', '2026-03-01T11:30:45.500Z'],
    // Java's OffsetDateTime, date -Iminutes
    ['2026-03-01T00:00Z', '2026-03-01T00:00:00.000Z'],
    ['2026-03-01T00:30+01:00', '2026-02-28T23:30:00.000Z'],
    // date -Ins
    ['2026-03-01T12:30:45,067349176+00:00', '2026-03-01T12:30:45.068Z'],
    // A plus sign in a URL is a blank.
    ['2026-03-01T12:30:45 01:00', '2026-03-01T11:30:45.000Z'],
    ['2026-03-01T12:30 0100', '2026-03-01T11:30:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('%s becomes %s', (text, time) => {
    expect(parse(text)).toBe(time);
  });

  it.each([
    '',
    '2026-03-01',
    // Whose clock?
    '2026-03-01T12:30:45',
    '2026-03-01T12:30',
    '2026-03-01T12Z',
    '2026-03-01T12:30:45.Z',
    '2026-03-01T12:30.5Z',
    '2026-03-01T12:30:45+1',
    '2026-03-01T12:30:45+01:',
    '2026-03-01T12:30:45+010',
    '2026-03-01T12:30:45+01000',
    '2026-03-01T12:30:45\u{2212}01:00',
    '+002026-03-01T12:30:45Z',
    ' 2026-03-01T12:30:45Z',
    '2026-03-01T12:30:45Z\n',
    '２０２６-03-01T12:30:45Z',
    '2026-13-01T00:00:00Z',
    '2026-03-32T00:00:00Z',
    '2026-02-29T00:00:00Z',
    '2100-02-29T00:00:00Z',
    '2026-03-01T24:00:00Z',
    '2026-03-01T12:60:00Z',
    '2016-12-31T23:59:60Z',
    '2026-03-01T12:30:45+24:00',
    '2026-03-01T12:30:45+01:60',
    '0000-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59.9991Z',
  ])('refuses %j', (text) => {
    expect(v.safeParse(rfc3339Time, text).issues).toMatchObject([
      { message: expect.stringMatching(/RFC 3339 .*offset/) },
    ]);
  });

  it('is the same instant in any offset and precision', () => {
    const minutes = fc.integer({ min: -1439, max: 1439 });
    const instant = fc.date({
      min: new Date('0001-01-01T00:00:00Z'),
      max: new Date('9998-12-31T00:00:00Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(instant, minutes, fc.nat({ max: 999_999 }), (date, offset, nanoseconds) => {
        const local = new Date(date.getTime() + offset * 60_000).toISOString().slice(0, -1);
        const clock = [Math.abs(offset) / 60, Math.abs(offset) % 60].map((part) =>
          String(Math.floor(part)).padStart(2, '0'),
        );
        const text = `${local}${String(nanoseconds).padStart(6, '0')}${offset < 0 ? '-' : '+'}${clock.join(':')}`;
        expect(parse(text)).toBe(new Date(date.getTime() + (nanoseconds > 0 ? 1 : 0)).toISOString());
      }),
    );
  });
});
