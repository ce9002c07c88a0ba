import assert from 'node:assert/strict';
import { type EnvironmentInput, settingNames } from '../../../lib/infrastructure/settings.ts';
import { sendTo } from '../../acceptance/http.ts';
import { testAcceptance, testBriefly } from '../acceptance.ts';
import { postContact, postForm } from '../contacts.ts';
import { region } from '../emulator.ts';
import type { Receiver } from '../receiver.ts';
import { seeRetention } from '../retention.ts';
import type { Cast } from '../steps.ts';
import { until } from '../until.ts';
import { notificationsWith } from '../versions.ts';
import { environment, Home } from './home.ts';

/** What a setting is changed to, once it is deployed. */
interface Change<Value> {
  /** `undefined`: it is left out. */
  readonly to: Value | undefined;
  /** Of `cdk deploy`. */
  readonly options?: readonly string[];
  /** Sees that it is so. Without it, nothing of it can be seen over HTTP, or not in the emulator. */
  readonly see?: (baseUrl: string, token: string) => Promise<void>;
}

type Changes = {
  /** In turn; or which chapter changes it. */
  readonly [Name in keyof EnvironmentInput]-?: readonly Change<EnvironmentInput[Name]>[] | string;
};

const sites = [
  { origin: 'http://localhost:8080' },
  { origin: 'https://shop.example.com', thankYouUrl: 'https://shop.example.com/danke', language: 'de' as const },
];

/** Every setting of an environment, each with what it is changed to. */
const changesFor = (cast: Cast, receiver: Receiver): Changes => {
  const { signal } = cast;
  const arrives = async (baseUrl: string) => {
    const { id } = await postContact(baseUrl, { email: 'visitor@example.com', message: 'Does it arrive?' });
    const arrived = () => receiver.received.find(({ body }) => body.includes(id));
    await until(`the webhook about ${id}`, arrived, signal);
  };
  let whilePaused: string | undefined;
  const postWhilePaused = async (baseUrl: string) => {
    whilePaused = (await postContact(baseUrl, { email: 'visitor@example.com', message: 'Does it arrive later?' })).id;
  };
  const arrivesWithPaused = async (baseUrl: string) => {
    await arrives(baseUrl);
    const arrived = receiver.received.filter(({ body }) => whilePaused !== undefined && body.includes(whilePaused));
    assert.equal(arrived.length, 1, 'A contact request that came during a pause has to arrive afterwards, once');
  };
  const notifications = notificationsWith(receiver.url);
  return {
    sites: [
      {
        to: sites,
        see: async (baseUrl) => {
          const form = { email: 'form@example.com', message: 'Aus dem Laden' };
          const { status, headers } = await postForm(baseUrl, form, sites[1]?.origin);
          assert.deepEqual([status, headers.get('location')], [303, sites[1]?.thankYouUrl]);
        },
      },
    ],
    spam: [
      {
        to: { traps: ['homepage', '_gotcha'] },
        see: async (baseUrl, token) => {
          const fields = { email: 'bot@example.com', message: 'Spam', homepage: 'https://spam.example.com' };
          const { id } = await postContact(baseUrl, fields);
          const spam = await sendTo(`${baseUrl}/api/v1/contact?spam=true`, { headers: { Authentication: token } });
          assert.ok(spam.text.includes(id), 'It is not marked as spam');
        },
      },
    ],
    extraFields: [
      {
        to: 'ignore',
        see: async (baseUrl) => {
          const fields = { email: 'visitor@example.com', message: 'In blue', colour: 'blue' };
          assert.equal((await postContact(baseUrl, fields)).extra, undefined);
        },
      },
      { to: undefined },
    ],
    tags: [{ to: { CostCentre: '4711' } }],
    throttles: [{ to: { public: { rate: 40, burst: 150 }, staff: { rate: 40, burst: 150 } } }],
    webAcl: [{ to: true }],
    retainData: [{ to: false, options: ['--context', 'confirm=prod.retainData'] }, { to: true }],
    retentionDays: [{ to: 30, see: (...reached) => seeRetention(cast, environment, reached) }],
    logRetentionDays: [{ to: 30 }],
    alarmEmails: [{ to: ['operations@example.com', 'security@example.com'] }],
    contactsAlarm: [{ to: 100 }],
    notifications: [
      { to: notifications, see: arrives },
      { to: { ...notifications, existingIdentities: true }, see: arrives },
      { to: { ...notifications, paused: true }, see: postWhilePaused },
      { to: notifications, see: arrivesWithPaused },
      { to: undefined },
    ],
    domains: 'domain',
    defaultEndpoint: 'domain',
    existingTables: 'come-back',
    // It is another stack: see the chapter `move`.
    instance: 'move',
    silenceAlarm: [{ to: 24 }],
    tracing: [{ to: true }],
    // The only ones that an environment without them can be given: those of the credentials.
    account: [{ to: '000000000000' }],
    region: [{ to: region }],
  };
};

const inWords = (value: unknown): string => {
  const words = value === undefined ? 'left out again' : JSON.stringify(value);
  return words.length > 80 ? `${words.slice(0, 79)}…` : words;
};

/**
 * Changes every setting, one at a time: the data stay.
 * @param only some of them
 */
export const changeSettings = async (cast: Cast, receiver: Receiver, only = settingNames): Promise<void> => {
  const { steps } = cast;
  const changes: Readonly<Record<string, readonly Change<unknown>[] | string>> = changesFor(cast, receiver);
  const missing = settingNames.filter((name) => !Object.hasOwn(changes, name));
  assert.equal(
    missing.length,
    0,
    `Say to what the year changes ${missing.join(', ')} (test/rehearsal/year/settings.ts)`,
  );

  const home = await steps.run('Deploy, and fill it', () => Home.settle(cast));
  const before = home.settings;
  for (const name of only) {
    const inTurn = changes[name] ?? [];
    if (typeof inTurn === 'string') continue;
    for (const { to, options = [], see } of inTurn) {
      await steps.run(`${name}: ${inWords(to)}`, async () => {
        await home.deploy({ ...home.settings, [name]: to }, ...options);
        if (see) await home.visit(see);
        await home.takeStock();
        await home.test(testBriefly);
      });
    }
  }
  await steps.run('All settings as they were', () => home.deploy(before));
  await steps.run('Acceptance suite, after all changes', () => home.test(testAcceptance));
};
