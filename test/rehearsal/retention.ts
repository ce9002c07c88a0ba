import assert from 'node:assert/strict';
import * as v from 'valibot';
import { stackName } from '../../lib/infrastructure/settings.ts';
import { sendTo } from '../acceptance/http.ts';
import { postContact } from './contacts.ts';
import type { Cast } from './steps.ts';

const day = 24 * 60 * 60 * 1000;

const applied = v.object({ retentionDays: v.number(), changed: v.number(), gone: v.number(), young: v.number() });

/** Applies the deployed retention to stored contact requests: old ones expire, and recent ones stay as they are. */
export const seeRetention = async (
  { operator, aws, steps }: Cast,
  environment: string,
  [baseUrl, token]: readonly [string, string],
): Promise<void> => {
  const [table = ''] = (await aws.tablesOf(stackName(environment))).filter((name) => name.includes('Contacts'));
  const post = async (daysAgo: number) => {
    const { id } = await postContact(baseUrl, { email: 'visitor@example.com', message: `Of ${daysAgo} days ago` });
    await aws.backdate(table, id, new Date(Date.now() - daysAgo * day));
    return id;
  };
  const statusOf = async (id: string) =>
    (await sendTo(`${baseUrl}/api/v1/contact/${id}`, { headers: { Authentication: token } })).status;
  const [recent, old] = [await post(10), await post(40)];
  const printed = await operator.staff('contacts', 'apply-retention', '--yes', '--json', '--env', environment);
  // Besides, it says on stderr where it writes, and what it leaves.
  const [json = ''] = /^\{.*\}$/ms.exec(printed) ?? [];
  const { young, ...result } = v.parse(v.pipe(v.string(), v.parseJson(), applied), json);
  assert.deepEqual(result, { retentionDays: 30, changed: 2, gone: 1 });
  assert.deepEqual([await statusOf(recent), await statusOf(old)], [200, 404]);
  await operator.staff('contacts', 'delete', recent, '--env', environment);
  steps.say(`Of two old contact requests one is gone and one expires later; ${young} that came just now are left`);
};
