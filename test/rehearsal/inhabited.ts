import assert from 'node:assert/strict';
import * as v from 'valibot';
import { type EnvironmentInput, stackName } from '../../lib/infrastructure/settings.ts';
import type { Contact } from '../acceptance/contact.ts';
import { sendTo } from '../acceptance/http.ts';
import { environments } from '../support/environments.ts';
import { testBriefly } from './acceptance.ts';
import { listContacts, postContact } from './contacts.ts';
import { withFront } from './front.ts';
import type { Deployed } from './operator.ts';
import type { Cast } from './steps.ts';

/** An environment with data in it, and what it answered when they were put there. */
export interface Inhabited {
  readonly environment: string;
  readonly deployed: Deployed;
  /** With every permission. */
  readonly token: string;
  readonly contacts: readonly Contact[];
  readonly campaigns: readonly unknown[];
}

/** Settings of which only these are other than those of `dev`. */
export const settingsOf = (environment: string, settings: Partial<EnvironmentInput>) => ({
  [environment]: { ...environments.dev, retentionDays: undefined, ...settings },
});

const listCampaigns = async (baseUrl: string, token: string): Promise<unknown[]> => {
  const { body } = await sendTo(`${baseUrl}/v1/campaigns`, { headers: { Authentication: token } });
  return v.parse(v.array(v.unknown()), body);
};

/** Deploys an environment, and puts contact requests, spam too, campaigns and a token into it. */
export const inhabit = async (
  { operator }: Cast,
  environment: string,
  settings: Partial<EnvironmentInput>,
): Promise<Inhabited> => {
  const deployed = await operator.deploy(stackName(environment), settingsOf(environment, settings));
  const token = await operator.issueToken(environment, 'all');
  for (const name of ['Newsletter', 'Trade fair']) {
    await operator.staff('campaigns', 'add', name, '--env', environment);
  }
  const [contacts, campaigns]: [Contact[], unknown[]] = [[], []];
  await withFront(deployed.stageUrl, environment, async (baseUrl) => {
    for (let number = 1; number <= 12; number += 1) {
      const trap = number % 4 === 0 ? 'spam' : '';
      await postContact(baseUrl, {
        email: `visitor-${number}@example.com`,
        message: `Number ${number}`,
        _gotcha: trap,
      });
    }
    contacts.push(...(await listContacts(baseUrl, token)));
    campaigns.push(...(await listCampaigns(baseUrl, token)));
  });
  assert.deepEqual([contacts.length, campaigns.length], [12, 2]);
  return { environment, deployed, token, contacts, campaigns };
};

/** Sees that all of it is there and no more, at a stage that may be another, and that the token goes on working. */
export const findAll = (
  { token, contacts, campaigns }: Inhabited,
  { stageUrl }: Deployed,
  environment: string,
): Promise<void> =>
  withFront(stageUrl, environment, async (baseUrl) => {
    assert.deepEqual(await listContacts(baseUrl, token), contacts);
    assert.deepEqual(await listCampaigns(baseUrl, token), campaigns);
  });

/** Runs a part of the acceptance suite against it. */
export const testInhabited = (
  cast: Cast,
  { token }: Inhabited,
  { stageUrl }: Deployed,
  environment: string,
): Promise<void> =>
  cast.steps.run(`A part of the acceptance suite, against ${environment}`, () =>
    withFront(stageUrl, environment, (baseUrl) => testBriefly(cast, { baseUrl, token })),
  );

/** Posts one more contact request. */
export const postOneMore = ({ stageUrl }: Deployed, environment: string): Promise<Contact> =>
  withFront(stageUrl, environment, (baseUrl) =>
    postContact(baseUrl, { email: 'visitor@example.com', message: 'One more' }),
  );

/** Deletes a contact request for good, at a stage that may be another. */
export const takeAway = (
  { token }: Inhabited,
  { stageUrl }: Deployed,
  environment: string,
  { id }: Contact,
): Promise<void> =>
  withFront(stageUrl, environment, async (baseUrl) => {
    const deletion = { method: 'DELETE', headers: { Authentication: token } };
    assert.equal((await sendTo(`${baseUrl}/api/v1/contact/${id}`, deletion)).status, 204);
  });
