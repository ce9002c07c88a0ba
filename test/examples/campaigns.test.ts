import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import * as v from 'valibot';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Meddle, startFront } from './front.ts';
import { exampleScript } from './script.ts';
import { startTestService, type TestService } from './service.ts';

const file = join(import.meta.dirname, '..', '..', 'examples', 'campaigns.csv');

let service: TestService;
let mayRead: string;
let folder: string;
beforeAll(async () => {
  service = await startTestService();
  mayRead = await service.issueToken('campaigns:read');
  folder = await mkdtemp(join(tmpdir(), 'examples-'));
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
});

const rowsOf = (csv: string) => v.parse(v.array(v.record(v.string(), v.string())), parse(csv, { columns: true }));

it('examples/campaigns.csv is imported, and imported again without a change', async () => {
  const names = rowsOf(readFileSync(file, 'utf8')).map(({ name }) => name);
  await service.staff('campaigns', 'import', file);
  expect(await service.staff('campaigns', 'import', file)).toBe(`0 added, 0 renamed, ${names.length} unchanged.\n`);
  const listed = (await service.listCampaigns()).map(({ name }) => name);
  expect(listed).toEqual(expect.arrayContaining(names));
});

describe('examples/campaigns.sh', () => {
  const script = exampleScript('campaigns.sh');
  beforeEach((context) => script.requiredBy(context));

  const run = (url: string, STAFF_TOKEN = mayRead) => script.run(folder, { BASE_URL: url, STAFF_TOKEN });

  it('writes every campaign as the import reads it', async () => {
    await service.staff('campaigns', 'import', file);
    await using front = await startFront(service.baseUrl);
    const { code, stdout, stderr } = await run(`${front.url}//`);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const campaigns = await service.listCampaigns();
    expect(rowsOf(stdout)).toEqual(campaigns);
    expect(front.asked.length).toBe(Math.ceil(campaigns.length / 2));

    const copy = join(folder, 'copy.csv');
    await writeFile(copy, stdout);
    const unchanged = `0 added, 0 renamed, ${campaigns.length} unchanged.\n`;
    expect(await service.staff('campaigns', 'import', copy)).toBe(unchanged);
  });

  it.each<[string, Meddle, number, string]>([
    ['waits', (_, response) => void response.writeHead(429, { 'Retry-After': '1' }).end(), 0, ''],
    ['rubbish', (_, response) => void response.end('<html>\n'), 1, 'the answer is not a list of campaigns'],
    ['an object', (_, response) => void response.end('{}'), 1, 'the answer is not a list of campaigns'],
    ['a lost connection', (_, response) => void response.destroy(), 1, 'curl: '],
  ])('waits where it is told to, else ends with one line and 1: %s', async (_, meddle, exitCode, why) => {
    let count = 0;
    await using front = await startFront(service.baseUrl, (asked, response) => {
      count += 1;
      return count === 1 ? meddle(asked, response) : undefined;
    });
    const { code, stderr } = await run(front.url);
    expect(code).toBe(exitCode);
    expect(stderr).toMatch(exitCode === 0 ? /^$/ : /^campaigns\.sh failed: .*\n$/);
    expect(stderr).toContain(why);
  });

  it('writes nothing when it cannot read them all', async () => {
    await service.staff('campaigns', 'import', file);
    await using front = await startFront(service.baseUrl, (asked, response) => {
      if (asked.includes('?')) response.writeHead(403).end('{"error":"Forbidden"}');
    });
    const { code, stdout, stderr } = await run(front.url);
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr: 'campaigns.sh failed: 403 {"error":"Forbidden"}\n',
    });
  });

  it('sends the token to no other address, wherever an answer leads', async () => {
    await using other = await startFront(service.baseUrl);
    await using front = await startFront(service.baseUrl, (asked, response) => {
      if (asked.includes('?')) return;
      response.writeHead(200, { Link: `<${other.url}/v1/campaigns?cursor=x>; rel="next"` }).end('[]');
    });
    const { code, stdout, stderr } = await run(front.url);
    expect(stderr).toContain('400 {"error":"Bad Request"');
    // Nothing that could be taken for the whole.
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(other.asked).toEqual([]);
  });

  it('a bad token, or none, is one line and 1', async () => {
    const bad = `${mayRead.slice(0, -4)}xxxx`;
    expect(await run(service.baseUrl, bad)).toMatchObject({
      code: 1,
      stderr: 'campaigns.sh failed: 401 {"error":"Unauthorized"}\n',
    });
    expect(await run(service.baseUrl, '')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/failed: usage: .*\n$/),
    });
  });
});
