import { expect, test } from 'vitest';
import { readSettings } from '../../lib/local/local-settings.ts';

test('uses defaults without variables', () => {
  expect(readSettings({})).toEqual({
    DATA_DIR: '.local',
    NOTIFY_EMAIL: [],
    SITE_ORIGINS: [],
    PORT: 3000,
    SITE_PORT: 8080,
    INBOX_PORT: 8081,
  });
});

test('reads each variable', () => {
  const variables = {
    DATA_DIR: '/data',
    INBOX_PORT: '9001',
    NOTIFY_EMAIL: 'staff@example.com,me@example.com',
    NOTIFY_WEBHOOK: 'http://localhost:9000/contact',
    PORT: '0',
    SITE_ORIGINS: 'https://www.example.com, https://shop.example.com,',
    SITE_PORT: '65535',
    THANK_YOU_URL: 'https://www.example.com/thanks',
  };
  expect(readSettings(variables)).toEqual({
    ...variables,
    INBOX_PORT: 9001,
    NOTIFY_EMAIL: ['staff@example.com', 'me@example.com'],
    PORT: 0,
    SITE_ORIGINS: ['https://www.example.com', 'https://shop.example.com'],
    SITE_PORT: 65_535,
  });
});

test.each([
  ['8090', 8091],
  // Port 0 stands for any free port.
  ['0', 0],
  ['65535', 0],
])('with the example site on port %s, the inbox is on %i by default', (SITE_PORT, inboxPort) => {
  expect(readSettings({ SITE_PORT }).INBOX_PORT).toBe(inboxPort);
});

test.each(['', '-1', '3000x', '65536', '3e3'])('refuses the port "%s"', (text) => {
  expect(() => readSettings({ PORT: text })).toThrow(`PORT: "${text}" is not a port (0 to 65535)`);
});

test('names the variable with an invalid URL', () => {
  expect(() => readSettings({ SITE_ORIGINS: 'https://a.example, http://localhost:5500/' })).toThrow(
    /^SITE_ORIGINS: "http:\/\/localhost:5500\/" must be written as browsers send it: "http:\/\/localhost:5500"$/,
  );
  expect(() => readSettings({ THANK_YOU_URL: '/thanks' })).toThrow(/^THANK_YOU_URL: "\/thanks" is not an absolute URL/);
});

test('reports several errors in one line', () => {
  expect(() => readSettings({ DATA_DIR: '', SITE_PORT: 'x' })).toThrow(
    'DATA_DIR: must not be empty; SITE_PORT: "x" is not a port (0 to 65535)',
  );
});

test.each(['~/data', '~', '$HOME/data'])('refuses the data folder %s, which only a shell would find', (path) => {
  expect(() => readSettings({ DATA_DIR: path })).toThrow(
    `DATA_DIR: "${path}" is read as it stands, because only a shell replaces ~ and $: write the whole path, as in "/`,
  );
});

const elsewhere =
  'NOTIFY_WEBHOOK: is not a URL on this machine: write http:// or https:// with localhost, 127.0.0.1 or [::1], as in "http://127.0.0.1:9000/contact"';

test.each<[string, string]>([
  ['https://hooks.example.com/contact', elsewhere],
  ['http://localhost.example.com/', elsewhere],
  ['http://169.254.169.254/', elsewhere],
  ['http://localhost@example.com/', elsewhere],
  ['localhost:9000', elsewhere],
  ['', elsewhere],
  ['ftp://localhost/', 'NOTIFY_WEBHOOK: is not a URL: write it in full, as in "https://hooks.example.com/contact"'],
  ['http://ada:secret@localhost/', 'NOTIFY_WEBHOOK: must not contain a user name or password'],
])('refuses a webhook at "%s"', (url, message) => {
  expect(() => readSettings({ NOTIFY_WEBHOOK: url })).toThrow(new Error(message));
});

test.each(['http://localhost:9000/contact?key=1', 'https://127.0.0.1/', 'http://[::1]:9000/'])(
  'accepts a webhook at %s',
  (url) => {
    expect(readSettings({ NOTIFY_WEBHOOK: url }).NOTIFY_WEBHOOK).toBe(url);
  },
);

test('refuses an invalid email address', () => {
  expect(() => readSettings({ NOTIFY_EMAIL: 'me@example.com,me' })).toThrow(
    new Error('NOTIFY_EMAIL: "me" is not an email address'),
  );
});
