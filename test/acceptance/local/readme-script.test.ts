import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { expect, onTestFinished, test } from 'vitest';
import { runReadmeScript } from '../../support/readme-script.ts';
import { contactSchema } from '../contact.ts';
import { makeDataDir, removeDataDir, runScript, startService } from './service.ts';

test('the script of the README reads what is new, and what was released from spam, each once', async () => {
  const dataDir = await makeDataDir();
  onTestFinished(() => removeDataDir(dataDir));
  const { baseUrl, staffToken, end } = await startService(dataDir);
  onTestFinished(async () => {
    await end('SIGINT');
  });

  const post = async (fields: object) => {
    const answer = await fetch(`${baseUrl}/api/v1/contact`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: 'ada@example.com', message: 'Hello', ...fields }),
    });
    return v.parse(contactSchema, await answer.json());
  };
  const folder = await makeDataDir();
  onTestFinished(() => removeDataDir(folder));
  const read = async (STAFF_TOKEN = staffToken) => {
    const outcome = await runReadmeScript(folder, { BASE_URL: baseUrl, STAFF_TOKEN });
    const text = await readFile(join(folder, `contacts.${new URL(baseUrl).host.replace(':', '_')}.jsonl`), 'utf8');
    return {
      ...outcome,
      kept: text
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line)),
    };
  };

  const [one, spam] = [await post({}), await post({ website: 'x' })];
  expect(await read()).toEqual({ code: 0, stdout: '', stderr: '', kept: [one] });
  const other = await post({});
  await runScript('staff.ts', { DATA_DIR: dataDir }, 'contacts', 'release', spam.id).closed;
  const kept = [one, other, { ...spam, releasedAt: expect.any(String) }];
  expect(await read()).toMatchObject({ code: 0, kept });
  await post({});
  expect(await read(`${staffToken}x`)).toMatchObject({ code: 1, stderr: expect.stringContaining('401'), kept });
});
