import assert from 'node:assert/strict';
import * as v from 'valibot';
import { type EnvironmentInput, nameWithInstance, stackName } from '../../lib/infrastructure/settings.ts';
import type { Contact } from '../acceptance/contact.ts';
import { sendTo } from '../acceptance/http.ts';
import { testBriefly } from './acceptance.ts';
import { listContacts, postContact } from './contacts.ts';
import type { Outputs } from './operator.ts';
import { firstSettings } from './settings.ts';
import { type Cast, comes } from './steps.ts';

/** A deployed environment. */
export interface Deployed {
  readonly environment: string;
  readonly stack: string;
  readonly outputs: Outputs;
}

/** The data of an environment, and the token that reads them. */
export interface Stored {
  /** With every permission. */
  readonly token: string;
  readonly contacts: readonly Contact[];
  readonly campaigns: readonly unknown[];
}

/** @param changes of the settings that an environment starts with */
export const deploy = async (
  { operator }: Cast,
  environment: string,
  changes: Partial<EnvironmentInput>,
  ...options: readonly string[]
): Promise<Deployed> => {
  const stack = stackName(nameWithInstance(environment, changes.instance));
  const outputs = await operator.deploy(stack, { [environment]: { ...firstSettings, ...changes } }, ...options);
  return { environment, stack, outputs };
};

/** Deletes a stack that is protected against it. */
export const destroy = async ({ aws, operator }: Cast, { stack }: Deployed): Promise<void> => {
  await aws.liftTerminationProtection(stack);
  await operator.destroy(stack);
};

export const withBaseUrl = <Result>(
  { cloud }: Cast,
  { outputs }: Deployed,
  use: (baseUrl: string) => Promise<Result>,
): Promise<Result> => cloud.withApi(outputs['DefaultUrl'] ?? outputs.BaseUrl, use);

const listCampaigns = async (baseUrl: string, token: string): Promise<unknown[]> => {
  const { body } = await sendTo(`${baseUrl}/v1/campaigns`, { headers: { Authentication: token } });
  return v.parse(v.array(v.unknown()), body);
};

/** Puts contact requests, also spam, and campaigns into an environment. */
export const fill = async (cast: Cast, deployed: Deployed): Promise<Stored> => {
  const { operator } = cast;
  const { environment } = deployed;
  const token = await operator.issueToken(environment, 'all');
  for (const name of ['Newsletter', 'Trade fair']) {
    await operator.staff('campaigns', 'add', name, '--env', environment);
  }
  return withBaseUrl(cast, deployed, async (baseUrl) => {
    for (let number = 1; number <= 12; number += 1) {
      const _gotcha = number % 4 === 0 ? 'spam' : '';
      await postContact(baseUrl, { email: `visitor-${number}@example.com`, message: `Number ${number}`, _gotcha });
    }
    const contacts = await listContacts(baseUrl, token);
    assert.equal(contacts.length, 12);
    return { token, contacts, campaigns: await listCampaigns(baseUrl, token) };
  });
};

/** Checks that all of it is there and no more, and that the token still works. */
export const findAll = (cast: Cast, deployed: Deployed, { token, contacts, campaigns }: Stored): Promise<void> =>
  withBaseUrl(cast, deployed, async (baseUrl) => {
    assert.deepEqual(await listContacts(baseUrl, token), contacts);
    assert.deepEqual(await listCampaigns(baseUrl, token), campaigns);
    cast.steps.say(
      `${contacts.length} contact requests and ${campaigns.length} campaigns are there, and the token works`,
    );
  });

/** Runs a part of the acceptance suite against it. */
export const testDeployed = (cast: Cast, deployed: Deployed, { token }: Stored): Promise<void> =>
  cast.steps.run(`Run a part of the acceptance suite against ${deployed.stack}`, () =>
    withBaseUrl(cast, deployed, (baseUrl) => testBriefly(cast, { baseUrl, token })),
  );

/** Posts a contact request, waits for its webhook, and deletes it. */
export const expectWebhook = (cast: Cast, deployed: Deployed, { token }: Stored): Promise<void> =>
  withBaseUrl(cast, deployed, async (baseUrl) => {
    const { receiver, steps } = cast;
    const { id } = await postContact(baseUrl, { email: 'visitor@example.com', message: 'One more' });
    await comes(cast, `the webhook about ${id}`, async () =>
      (await receiver.received()).find(({ body }) => body.includes(id)),
    );
    await deleteContact(baseUrl, token, id);
    steps.say('A webhook arrives about a new contact request');
  });

export const deleteContact = async (baseUrl: string, token: string, id: string): Promise<void> => {
  const deletion = { method: 'DELETE', headers: { Authentication: token } };
  assert.equal((await sendTo(`${baseUrl}/api/v1/contact/${id}`, deletion)).status, 204);
};
