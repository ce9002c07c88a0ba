import { expect, test } from 'vitest';
import { readSettings } from '../../lib/local/settings.ts';

test('without variables the defaults hold', () => {
  expect(readSettings({})).toEqual({ DATA_DIR: '.local', PORT: 3000, SITE_ORIGINS: [], SITE_PORT: 8080 });
});

test('each variable sets what it names', () => {
  const variables = {
    DATA_DIR: '/data',
    PORT: '0',
    SITE_ORIGINS: 'https://www.example.com, https://shop.example.com,',
    SITE_PORT: '65535',
    THANK_YOU_URL: 'https://www.example.com/thanks',
  };
  expect(readSettings(variables)).toEqual({
    ...variables,
    PORT: 0,
    SITE_ORIGINS: ['https://www.example.com', 'https://shop.example.com'],
    SITE_PORT: 65_535,
  });
});

test.each(['', '-1', '3000x', '65536', '3e3'])('"%s" is no port', (text) => {
  expect(() => readSettings({ PORT: text })).toThrow(`PORT: "${text}" is no port (0 to 65535)`);
});

test('a mistake in SITE_ORIGINS or THANK_YOU_URL names the variable', () => {
  expect(() => readSettings({ SITE_ORIGINS: 'https://a.example, http://localhost:5500/' })).toThrow(
    /^SITE_ORIGINS: "http:\/\/localhost:5500\/" is not how browsers write an origin: write "http:\/\/localhost:5500"$/,
  );
  expect(() => readSettings({ THANK_YOU_URL: '/thanks' })).toThrow(/^THANK_YOU_URL: "\/thanks" is no absolute URL/);
});

test('several mistakes are one line', () => {
  expect(() => readSettings({ DATA_DIR: '', SITE_PORT: 'x' })).toThrow(
    'DATA_DIR: must not be empty; SITE_PORT: "x" is no port (0 to 65535)',
  );
});
