import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { targetName } from '../../lib/infrastructure/notification-targets.ts';
import type { EnvironmentInput } from '../../lib/infrastructure/settings.ts';
import { issueLimitedTokens, testAcceptance, testBriefly, testGateway } from '../rehearsal/acceptance.ts';
import { postContact } from '../rehearsal/contacts.ts';
import { type Deployed, deploy, fill, findAll, type Stored, withBaseUrl } from '../rehearsal/deployed.ts';
import { expectSigned, redrive, request, type Scene, targetsIn } from '../rehearsal/notifications.ts';
import { site } from '../rehearsal/settings.ts';
import type { Cast } from '../rehearsal/steps.ts';
import type { Patience } from '../support/until.ts';
import { checkMetrics, checkStates } from './alarms.ts';
import {
  causeAuthorizerFailure,
  causedAlarms,
  causedByMail,
  causeRefusals,
  causeThrottling,
  causeUnreadableItem,
} from './causes.ts';
import type { Clients } from './clients.ts';
import { checkDrift } from './drift.ts';
import { checkAccessLog, checkPrivacy, expectEmails, sayTries } from './logs.ts';
import type { Hidden, Observation } from './observation.ts';
import { checkTls } from './tls.ts';
import { checkWiring } from './wiring.ts';

export interface Verification {
  readonly cast: Cast;
  readonly clients: Clients;
  readonly name: string;
  /** A sender that SES has verified. */
  readonly from: string | undefined;
  readonly hidden: Hidden;
  /** Runs a small part of the acceptance suite. */
  readonly isBrief: boolean;
  /** Until CloudWatch lists a new metric, and evaluates an alarm. */
  readonly cloudWatchPatience: Patience;
}

/** https://docs.aws.amazon.com/ses/latest/dg/send-an-email-from-console.html has the addresses of SES's mailbox simulator. */
const simulated = ['success', 'bounce', 'complaint'].map((outcome) => `${outcome}@simulator.amazonses.com`);

const secondSite = { origin: 'http://localhost:8081', language: 'de' } as const;

const settingsOf = ({ from }: Verification) =>
  ({
    sites: [site],
    triage: true,
    logRetentionDays: 1,
    // The acceptance suite stores more.
    contactsAlarm: 20,
    // AWS asks it to confirm the subscription. Nobody has to: the alarms reach the topic all the same.
    alarmEmails: from === undefined ? [] : [from],
  }) satisfies Partial<EnvironmentInput>;

const webhookAt = ({ receiver }: Cast, path: 'signed' | 'failing') => `${receiver.url}/${path}`;

/** The name of a webhook's target. */
const nameOf = (cast: Cast, path: 'signed' | 'failing') =>
  targetName({ kind: 'webhook', address: webhookAt(cast, path), conditions: {} });

const changesOf = (verification: Verification) => {
  const { cast, from } = verification;
  return {
    ...settingsOf(verification),
    sites: [site, secondSite],
    notifications: {
      ...(from !== undefined && { from, emails: simulated, existingIdentities: true }),
      webhooks: [{ url: webhookAt(cast, 'signed') }, { url: webhookAt(cast, 'failing') }],
    },
  } satisfies Partial<EnvironmentInput>;
};

/**
 * Runs a step whose failure is a result, not the end of the run.
 * @throws only if the run was stopped
 */
const attempt = async ({ steps, signal }: Cast, name: string, work: () => Promise<unknown>): Promise<void> => {
  try {
    await steps.run(name, work);
  } catch (error) {
    signal.throwIfAborted();
    console.error(error instanceof Error ? error.message : error);
  }
};

/** Attempts what can be observed here, and notes what cannot. */
const observe = async (
  { cast, hidden }: Verification,
  observation: Observation,
  name: string,
  work: () => Promise<unknown>,
): Promise<void> => {
  const why = hidden[observation];
  if (why === undefined) await attempt(cast, name, work);
  else cast.steps.notShown(`${name}: ${why}`);
};

/** The second deployment brings protection and notifications at once, and keeps all data; the third one changes nothing. */
const deployTwiceMore = async (verification: Verification, first: Deployed, stored: Stored): Promise<Deployed> => {
  const { cast, name } = verification;
  const { aws, operator, steps } = cast;
  const second = await steps.run('cdk deploy, with protection, notifications and a second site at once', async () => {
    const deployed = await deploy(cast, name, changesOf(verification));
    assert.equal(deployed.outputs.BaseUrl, first.outputs.BaseUrl);
    assert.equal(deployed.outputs['NextStep'], undefined);
    assert.deepEqual(await aws.stateOf(deployed.stack), { status: 'UPDATE_COMPLETE', isProtected: true });
    for (const table of await aws.tablesOf(deployed.stack)) assert.ok(await aws.isProtected(table), table);
    await findAll(cast, deployed, stored);
    return deployed;
  });
  await attempt(cast, 'cdk deploy, without changes', async () =>
    assert.match(await operator.deployAgain(second.stack), /\(no changes\)/),
  );
  return second;
};

const observeNotifications = async (verification: Verification, scene: Scene): Promise<void> => {
  const { cast, clients } = verification;
  const { deployed, baseUrl } = scene;
  await attempt(cast, 'Event source mappings and queues', () => checkWiring(cast, clients, deployed));
  await attempt(cast, 'A webhook arrives, signed', async () => {
    const { id } = await postContact(baseUrl, request);
    const { type, data } = await expectSigned(scene, id);
    assert.deepEqual([type, data.id], ['contact.created', id]);
    cast.steps.say('It has the contact request, and the signature of its secret');
  });
  await observe(verification, 'redrive', 'Move a message back from the dead-letter queue', async () => {
    const signed = targetsIn(deployed.outputs).find(({ name }) => name === nameOf(cast, 'signed'));
    assert.ok(signed);
    const { movesMessages } = cast.cloud;
    // SQS measures its queues every minute, and the alarm needs to see the message.
    const rest = movesMessages ? () => setTimeout(3 * 60_000, undefined, { signal: cast.signal }) : undefined;
    await redrive(scene, signed, rest ? { rest } : {});
    if (movesMessages) await sayTries(scene, clients, signed.name);
  });
  await observe(verification, 'emails', "Emails to SES's mailbox simulator", () => expectEmails(scene, clients));
};

const observeAlarms = async (verification: Verification, scene: Scene): Promise<void> => {
  const { cast, clients, from, cloudWatchPatience } = verification;
  const { deployed } = scene;
  await attempt(cast, 'Tokens that do not exist', () => causeRefusals(scene));
  await attempt(cast, 'An item that cannot be read', () => causeUnreadableItem(scene, clients));
  await observe(verification, 'throttling', 'More requests than the environment allows', () => causeThrottling(scene));
  await observe(verification, 'authorizer', 'An authorizer that cannot run', () =>
    causeAuthorizerFailure(scene, clients),
  );
  await observe(verification, 'access-log', 'The fields of the access log', () => checkAccessLog(scene, clients));
  await attempt(cast, 'Logs without personal data', () => checkPrivacy(scene, clients));
  const caused = [
    ...causedAlarms,
    `notification-retries-${nameOf(cast, 'failing')}`,
    ...(from === undefined ? [] : causedByMail),
  ];
  await observe(verification, 'metrics', 'The metric of each alarm', () =>
    checkMetrics(cast, clients, deployed, caused, cloudWatchPatience),
  );
  await observe(verification, 'states', 'The state of each alarm after its cause', () =>
    checkStates(cast, clients, deployed, caused, cloudWatchPatience),
  );
};

/** Deploys the service, and observes it. What fails afterwards is a result; what fails before that ends the run. */
export const verifyService = async (verification: Verification): Promise<void> => {
  const { cast, clients, name, isBrief } = verification;
  const { steps } = cast;
  const first = await steps.run('cdk deploy', () => deploy(cast, name, settingsOf(verification)));
  const stored = await steps.run('Issue tokens, and add campaigns', () => fill(cast, first));
  const { token } = stored;
  await withBaseUrl(cast, first, async (baseUrl) => {
    await attempt(cast, isBrief ? 'A part of the acceptance suite' : 'Acceptance suite', async () => {
      if (isBrief) return testBriefly(cast, { baseUrl, token });
      const limitedTokens = await issueLimitedTokens(cast, name);
      return testAcceptance(cast, { baseUrl, token, limitedTokens });
    });
  });
  await observe(verification, 'tls', 'TLS of the endpoint', () =>
    checkTls(first.outputs.BaseUrl, (what) => steps.say(what)),
  );
  const deployed = await deployTwiceMore(verification, first, stored);
  await withBaseUrl(cast, deployed, async (baseUrl) => {
    const scene = { cast, deployed, baseUrl, token };
    await attempt(cast, 'The gateway with two sites', () => testGateway(cast, { baseUrl, token }));
    await observeNotifications(verification, scene);
    await observeAlarms(verification, scene);
  });
  await observe(verification, 'drift', 'Drift', () => checkDrift(cast, clients, deployed));
};
