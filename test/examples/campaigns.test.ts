import { existsSync, readFileSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import * as v from 'valibot';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startFront } from './front.ts';
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

it('examples/campaigns.csv can be imported, and a second import changes nothing', async () => {
  const names = rowsOf(readFileSync(file, 'utf8')).map(({ name }) => name);
  await service.staff('campaigns', 'import', file);
  expect(await service.staff('campaigns', 'import', file)).toBe(`0 added, 0 renamed, ${names.length} unchanged.\n`);
  const listed = (await service.listCampaigns()).map(({ name }) => name);
  expect(listed).toEqual(expect.arrayContaining(names));
});

describe('examples/campaigns.sh', () => {
  const script = exampleScript('campaigns.sh');
  let copy: string;
  beforeEach((context) => {
    script.requiredBy(context);
    copy = join(folder, 'copy.csv');
    rmSync(copy, { force: true });
  });

  const run = (url: string) => script.run(folder, { BASE_URL: url, STAFF_TOKEN: mayRead }, copy);

  it('writes every campaign in the format of the import', async () => {
    await service.staff('campaigns', 'import', file);
    await using front = await startFront(service.baseUrl);
    expect(await run(`${front.url}//`)).toEqual({ code: 0, stdout: '', stderr: '' });
    const campaigns = await service.listCampaigns();
    expect(rowsOf(readFileSync(copy, 'utf8'))).toEqual(campaigns);
    expect(front.asked.length).toBe(Math.ceil(campaigns.length / 2));

    const unchanged = `0 added, 0 renamed, ${campaigns.length} unchanged.\n`;
    expect(await service.staff('campaigns', 'import', copy)).toBe(unchanged);
  });

  it('waits for 429', async () => {
    await using front = await startFront(service.baseUrl, (_, response) => {
      if (front.asked.length === 1) response.writeHead(429, { 'Retry-After': '1' }).end();
    });
    expect(await run(front.url)).toMatchObject({ code: 0, stderr: '' });
  });

  it('writes nothing if the service refuses a page', async () => {
    await service.staff('campaigns', 'import', file);
    await using front = await startFront(service.baseUrl, (asked, response) => {
      if (asked.includes('?')) response.writeHead(403).end('{"error":"Forbidden"}');
    });
    expect(await run(front.url)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'campaigns.sh failed: 403 {"error":"Forbidden"}\n',
    });
    expect(existsSync(copy)).toBe(false);
  });

  it('sends the token to no other address, even after a redirect or a foreign link', async () => {
    await using other = await startFront(service.baseUrl);
    await using front = await startFront(service.baseUrl, (asked, response) => {
      if (asked.includes('?')) return;
      response.writeHead(200, { Link: `<${other.url}/v1/campaigns?cursor=x>; rel="next"` }).end('[]');
    });
    expect(await run(front.url)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('400 {"error":"Bad Request"'),
    });
    expect(other.asked).toEqual([]);
  });
});
