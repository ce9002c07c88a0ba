import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setDefaultCACertificates } from 'node:tls';
import * as v from 'valibot';
import { putCampaign } from '../../functions/campaigns/manage-campaigns.ts';
import { contactStore } from '../../functions/contacts/contact-store.ts';
import { createDocumentClient } from '../../functions/shared/dynamodb.ts';
import { putToken } from '../../functions/tokens/manage-tokens.ts';
import { permissions } from '../../lib/infrastructure/endpoints.ts';
import { contact } from '../contact.ts';

/** Examples. The session token is about as long as Lambda's. */
export const credentials = {
  region: 'eu-central-1',
  accessKey: 'AKIAIOSFODNN7EXAMPLE',
  secret: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  sessionToken: 'IQoJb3JpZ2luX2VjEXAMPLE='.repeat(40),
};

/** The ids of stored items, and a token. */
export interface Stored {
  readonly contactId: string;
  readonly campaignId: string;
  readonly token: string;
}

/** The certificate of the store: its clients have to trust it. */
export const certificateFile = join(import.meta.dirname, 'localhost-certificate.pem');

/** Writes a page of contact requests, a campaign and a token, as the service and the staff command write them. */
const fill = async (): Promise<Stored> => {
  const client = createDocumentClient();
  let contactId = '';
  for (let index = 0; index < 50; index += 1) {
    const input = { fields: contact, spam: false, createdAt: new Date(index * 1000) } as const;
    const result = await contactStore(client, 'contacts').create(input);
    if (result.outcome === 'created') contactId = result.contact.id;
  }
  const campaign = { id: randomUUID(), name: 'Newsletter' };
  await putCampaign({ client, table: 'campaigns' }, campaign);
  const { token } = await putToken({ client, table: 'tokens' }, { name: 'bench', permissions, now: new Date() });
  client.destroy();
  return { contactId, campaignId: campaign.id, token };
};

/** Runs with a filled store in a process of its own, so that its work does not count as the caller's. */
export const withStore = async <Result>(
  use: (endpoint: string, stored: Stored) => Promise<Result>,
): Promise<Result> => {
  const store = fork(join(import.meta.dirname, 'server.ts'));
  try {
    const [message] = await once(store, 'message');
    const endpoint = v.parse(v.string(), message);
    setDefaultCACertificates([readFileSync(certificateFile, 'utf8')]);
    Object.assign(process.env, {
      AWS_ENDPOINT_URL_DYNAMODB: endpoint,
      AWS_REGION: credentials.region,
      AWS_ACCESS_KEY_ID: credentials.accessKey,
      AWS_SECRET_ACCESS_KEY: credentials.secret,
    });
    return await use(endpoint, await fill());
  } finally {
    store.kill();
  }
};
