import type { EnvironmentInput } from '../../../lib/infrastructure/settings.ts';
import { deploy, destroy, expectWebhook, fill, findAll, testDeployed } from '../deployed.ts';
import { region } from '../emulator.ts';
import { firstSettings, notificationsTo, site } from '../settings.ts';
import type { Cast } from '../steps.ts';

const environment = 'prod';

/** Every setting that can change in a deployed stack. The type makes sure that a new setting is here. */
const everything = (receiver: string) =>
  ({
    ...firstSettings,
    sites: [
      site,
      { origin: 'https://shop.example.com', thankYouUrl: 'https://shop.example.com/danke', language: 'de' },
    ],
    inboxOrigins: ['https://inbox.example.com'],
    triage: true,
    spam: { traps: ['homepage', '_gotcha'], senders: ['@example.net'], links: 3, words: ['casino'] },
    extraFields: 'keep',
    required: ['email|phone'],
    fields: { company: 'club' },
    tags: { CostCentre: '4711' },
    confirmation: false,
    confirmationsPerHour: 30,
    files: { dailyMegabytes: 100, scan: false },
    webAcl: true,
    retentionDays: 30,
    logRetentionDays: 30,
    alarmEmails: ['operations@example.com', 'security@example.com'],
    runbookUrl: 'https://wiki.example.com/runbook',
    contactsAlarm: 100,
    forms: {
      newsletter: { required: ['email'], subject: 'A new reader', retentionDays: 400 },
      sales: { files: true },
      support: {},
    },
    silenceAlarm: 24,
    tracing: true,
    notifications: notificationsTo(receiver),
    domains: [
      {
        name: 'contact.example.com',
        certificateArn: `arn:aws:acm:${region}:000000000000:certificate/6a1e2c5e-0000-4000-8000-000000000000`,
      },
    ],
    defaultEndpoint: true,
    account: '000000000000',
    region,
  }) satisfies Required<Omit<EnvironmentInput, 'existingTables' | 'instance'>>;

/** Changes all settings of an environment, and changes them back: its data stay. */
export const rehearseSettings = async (cast: Cast): Promise<void> => {
  const { receiver, steps } = cast;
  const first = await steps.run('Deploy, and fill it', async () => {
    const deployed = await deploy(cast, environment, {});
    return { deployed, stored: await fill(cast, deployed) };
  });
  const { stored } = first;
  const changed = await steps.run('Change every setting', async () => {
    const deployed = await deploy(cast, environment, everything(receiver.url));
    await findAll(cast, deployed, stored);
    await expectWebhook(cast, deployed, stored);
    return deployed;
  });
  await testDeployed(cast, changed, stored);
  await steps.run('Change them back, and destroy it', async () => {
    const back = await deploy(cast, environment, {}, '-c', `confirm=${environment}.files`);
    await findAll(cast, back, { ...stored });
    await destroy(cast, back);
  });
};
