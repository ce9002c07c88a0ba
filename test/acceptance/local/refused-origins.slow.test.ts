import { relative } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { settingsFile } from '../../support/environments.ts';
import { sendTo } from '../http.ts';
import { type LocalService, makeDataDir, removeDataDir, startService } from './service.ts';

let dataDir: string;
let service: LocalService;

beforeAll(async () => {
  dataDir = await makeDataDir();
  service = await startService(dataDir, { SITE_ORIGINS: 'https://shop.example.com' });
});

afterAll(async () => {
  await service.end('SIGKILL');
  await removeDataDir(dataDir);
});

const contact = () => `${service.baseUrl}/api/v1/contact`;

const post = (origin: string, message = 'Hello') =>
  sendTo(contact(), {
    method: 'POST',
    headers: { Origin: origin },
    body: new URLSearchParams({ email: message === '' ? 'nobody' : 'ada@example.com', message }),
  });

const preflight = (origin: string, headers?: Record<string, string>) =>
  sendTo(contact(), {
    method: 'OPTIONS',
    headers: { Origin: origin, 'Access-Control-Request-Method': 'POST', ...headers },
  });

/** A preflight of the inbox's page. */
const preflightWithToken = (origin: string) =>
  preflight(origin, {
    'Access-Control-Request-Method': 'GET',
    'Access-Control-Request-Headers': 'accept,authentication',
  });

test('the terminal shows once what to do about each refused origin', async () => {
  for (const origin of [service.siteOrigin, 'https://shop.example.com']) {
    await preflight(origin);
    expect((await post(origin)).status).toBe(201);
    expect((await post(origin, '')).status).toBe(400);
  }
  expect((await post('null')).status).toBe(201);
  await preflightWithToken(service.inboxOrigin);

  for (let time = 0; time < 2; time += 1) {
    expect((await post('http://127.0.0.1:61001')).status).toBe(403);
    await preflight('http://127.0.0.1:61001');
    await preflight('http://localhost:61002');
    expect((await post('http://192.0.2.1:8000')).status).toBe(403);
    await preflight('null');
    await preflightWithToken('http://127.0.0.1:61001');
    await preflightWithToken('null');
    expect((await post('ada@example.com')).status).toBe(403);
  }
  await service.end('SIGTERM');

  const [, printed] = service.output.stdout.split('Press Ctrl-C to stop.\n');
  const howToAllow = (origin: string) => [
    `Refused a request from a page of ${origin}, which is not one of the sites. To allow it, write this into .env and start again:`,
    `  SITE_ORIGINS=https://shop.example.com,${origin}`,
    `Or add this to the sites of dev in ${relative('.', settingsFile)}:`,
    `  { origin: '${origin}' },`,
  ];
  const isRequest = (line: string) => /^(?:POST|OPTIONS) /.test(line);
  expect(printed?.split('\n').filter((line) => line !== '' && !isRequest(line))).toEqual([
    ...howToAllow('http://127.0.0.1:61001'),
    ...howToAllow('http://localhost:61002'),
    'Refused a request from a page of http://192.0.2.1:8000, which cannot be allowed: "http://192.0.2.1:8000" must begin with https:// (http:// is for localhost only)',
    `Refused a request with a token from a page of http://127.0.0.1:61001. Open the inbox at ${service.inboxOrigin}`,
    `Refused a request with a token from a page without an origin, such as a file. Open the inbox at ${service.inboxOrigin}`,
  ]);
});
