import { expect, test } from 'vitest';
import { isServer, misspellings, readServerSettings } from '../../lib/local/server-settings.ts';

const PUBLIC_URL = 'https://forms.example.com';
const read = (variables: Readonly<Record<string, string>>) => readServerSettings({ PUBLIC_URL, ...variables });

test('is a server as soon as PUBLIC_URL says something', () => {
  expect([{}, { PUBLIC_URL: '' }, { PUBLIC_URL: 'forms' }].map(isServer)).toEqual([false, false, true]);
});

test('uses defaults without other variables', () => {
  expect(read({})).toEqual({
    DATA_DIR: '.local',
    ENVIRONMENT: 'prod',
    HOST: '127.0.0.1',
    INBOX_PORT: 8081,
    PORT: 3000,
    PUBLIC_URL,
    TRUSTED_PROXY: ['127.0.0.0/8', '::1'],
  });
});

test('reads each variable', () => {
  const variables = {
    DATA_DIR: '/data',
    ENVIRONMENT: 'shop',
    HOST: '::',
    INBOX_PORT: '8001',
    INBOX_URL: 'https://inbox.example.com',
    PORT: '8000',
    SMTP_URL: 'smtp://mail.example.com',
    TRUSTED_PROXY: '10.0.0.0/8, fd00::/8,192.0.2.1',
  };
  expect(read(variables)).toEqual({
    ...variables,
    INBOX_PORT: 8001,
    PORT: 8000,
    PUBLIC_URL,
    SMTP_URL: { secure: false, host: 'mail.example.com', port: 587, isLocal: false, auth: undefined },
    TRUSTED_PROXY: ['10.0.0.0/8', 'fd00::/8', '192.0.2.1'],
  });
});

test('trusts no proxy if TRUSTED_PROXY is empty', () => {
  expect(read({ TRUSTED_PROXY: '' }).TRUSTED_PROXY).toEqual([]);
});

test.each([
  [
    'smtps://user:p%40ss%2Fword%3F%23@mail.example.com',
    { secure: true, host: 'mail.example.com', port: 465, isLocal: false, auth: { user: 'user', pass: 'p@ss/word?#' } },
  ],
  [
    'smtp://me%40example.com:secret@localhost:2525/',
    { secure: false, host: 'localhost', port: 2525, isLocal: true, auth: { user: 'me@example.com', pass: 'secret' } },
  ],
  ['smtps://[::1]', { secure: true, host: '::1', port: 465, isLocal: true, auth: undefined }],
])('reads the mail server %s', (SMTP_URL, server) => {
  expect(read({ SMTP_URL }).SMTP_URL).toEqual(server);
});

test.each([
  'mail.example.com',
  'https://mail.example.com',
  'smtps://',
  'smtps://user:secret@mail.example.com?tls.rejectUnauthorized=false',
  'smtps://user:sec/ret@mail.example.com',
  'smtps://user:sec#ret@mail.example.com',
  'smtps://secret@mail.example.com',
  'smtps://user:100%secret@mail.example.com',
])('refuses the mail server %s without showing it, since there is no switch for TLS', (SMTP_URL) => {
  expect(() => read({ SMTP_URL })).toThrow(/^SMTP_URL: (?!.*(sec|reject))/);
});

test.each([
  [{ PUBLIC_URL: 'https://forms.example.com/' }, /^PUBLIC_URL: .* must be written as browsers send it/],
  [{ PUBLIC_URL: 'https://example.com/forms' }, /^PUBLIC_URL: .* must be written as browsers send it/],
  [{ PUBLIC_URL: 'http://forms.example.com' }, /^PUBLIC_URL: .* must begin with https:/],
  [{ HOST: 'localhost' }, /^HOST: "localhost" is not an address to listen on, such as "127.0.0.1"/],
  [{ TRUSTED_PROXY: '10.0.0.0/8,proxy' }, /^TRUSTED_PROXY: "proxy" is neither an address nor a network/],
  [{ TRUSTED_PROXY: '10.0.0.0/33' }, /^TRUSTED_PROXY: "10.0.0.0\/33" is neither/],
  [{ NOTIFY_EMAIL: 'me@example.com', SITE_PORT: '1' }, /^NOTIFY_EMAIL, SITE_PORT: only for npm start without/],
])('refuses %j in one line', (variables, message) => {
  expect(() => read(variables)).toThrow(message);
});

test.each([
  ['PUBLIC_URI', 'PUBLIC_URI in .env: unknown variable. Did you mean PUBLIC_URL?'],
  ['SITE_ORIGIN', 'SITE_ORIGIN in .env: unknown variable. Did you mean SITE_ORIGINS?'],
])('reports a misspelled variable of either mode: %s', (name, line) => {
  expect(misspellings(['HOST', 'NOTIFY_EMAIL', 'MY_OWN', name])).toEqual([line]);
});
