import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SESv2Client } from '@aws-sdk/client-sesv2';
import PostalMime, { type Email } from 'postal-mime';
import type { Contact } from '../../functions/contacts/contact.ts';
import { notificationOf } from '../../functions/notify/deliver.ts';
import { deliverByEmail } from '../../functions/notify/email.ts';
import type { Wording } from '../../functions/notify/wording.ts';
import { senderHeader } from '../../lib/infrastructure/sender.ts';
import { serveServices } from '../../lib/local/host/aws/services.ts';
import { createManualClock } from '../local/host/manual-clock.ts';
import { noTimeout } from './notifications.ts';

interface MessageOptions extends Partial<Wording> {
  /** As in the settings. */
  readonly from?: string;
}

/** The email about a contact request, as `npm start` writes it and as a library for MIME reads it. */
export const emailMessageOf = async (
  contact: Contact,
  { from = 'contact@example.com', ...wording }: MessageOptions = {},
): Promise<Email> => {
  const credentials = { accessKeyId: 'credential', secretAccessKey: 'secret' };
  const dataDir = mkdtempSync(join(tmpdir(), 'contact-service-mail-'));
  const services = await serveServices(
    { secrets: [], queues: [], emailTemplates: [] },
    {
      dataDir,
      credentials,
      secrets: {},
      sendMessage: async () => '',
      buckets: new Map(),
      clock: createManualClock(Date.parse(contact.createdAt)),
      log: () => {},
    },
  );
  try {
    const client = new SESv2Client({
      endpoint: services.endpoint,
      region: 'eu-central-1',
      credentials,
      maxAttempts: 1,
    });
    const options = {
      from: senderHeader(from),
      to: 'staff@example.com',
      configurationSet: undefined,
      wording: { environment: 'prod', subjects: new Map(), ...wording },
    };
    await deliverByEmail(client, options, noTimeout)(notificationOf(contact));
    const folder = join(dataDir, 'mail');
    const [file = ''] = readdirSync(folder);
    return await PostalMime.parse(readFileSync(join(folder, file)));
  } finally {
    await services.close();
    rmSync(dataDir, { recursive: true });
  }
};
