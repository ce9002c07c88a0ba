import assert from 'node:assert/strict';
import { CommandError } from '../support/command.ts';
import { issueLimitedTokens, testAcceptance } from './acceptance.ts';
import { rehearseConfirmation } from './confirmation.ts';
import { listContacts } from './contacts.ts';
import { type Deployed, deploy, destroy, expectWebhook, fill, findAll, type Stored, withBaseUrl } from './deployed.ts';
import { downloadCv, rehearseFiles, sendCv, withFiles } from './files.ts';
import { rehearseNotifications } from './notifications.ts';
import { notificationsTo } from './settings.ts';
import type { Cast, Rehearsal } from './steps.ts';

const environment = 'prod';

/** Deploys the service, tests it, adds notifications, destroys it, and deploys it again with its data. */
export const rehearseService = async (cast: Rehearsal): Promise<void> => {
  const { receiver, steps } = cast;
  const notifications = notificationsTo(receiver.url);
  const first = await steps.run('cdk deploy', () => deploy(cast, environment, { triage: true, ...withFiles }));
  const stored = await steps.run('Issue tokens, and add campaigns', () => fill(cast, first));
  const limitedTokens = await issueLimitedTokens(cast, environment);
  await steps.run('Acceptance suite', () =>
    withBaseUrl(cast, first, (baseUrl) => testAcceptance(cast, { baseUrl, token: stored.token, limitedTokens })),
  );

  await steps.run('Files', () => rehearseFiles(cast, first, stored.token));

  const changed = await steps.run('cdk deploy, with notifications', async () => {
    const deployed = await deploy(cast, environment, { triage: true, notifications, ...withFiles });
    assert.equal(deployed.outputs.BaseUrl, first.outputs.BaseUrl);
    await findAll(cast, deployed, stored);
    return deployed;
  });
  await withBaseUrl(cast, changed, (baseUrl) =>
    rehearseNotifications({ cast, deployed: changed, baseUrl, token: stored.token }),
  );
  await steps.run('Ask the doctor', () => askDoctor(cast));
  await steps.run('cdk deploy, with confirmations, and send forms', () => rehearseConfirmation(cast, environment));
  const withCv = await sendCv(cast, changed);
  const contacts = await withBaseUrl(cast, changed, (baseUrl) => listContacts(baseUrl, stored.token));
  await comeBack(cast, changed, { ...stored, contacts }, withCv);
};

/**
 * The emulator has no DNS, so the doctor must find that the base URL does not respond. SES knows only the address of the sender. There
 * must be nothing else.
 */
const askDoctor = async ({ operator, steps }: Cast): Promise<void> => {
  const printed = await operator.staff('doctor', '--env', environment).catch((error: unknown) => {
    if (error instanceof CommandError) return error.message;
    throw error;
  });
  const found = printed.split('\n').filter((line) => /^(wrong|note): /.test(line));
  assert.equal(found.length, 2, printed);
  assert.match(found.join('\n'), /^wrong: https:.* does not respond.*\nnote: .* not verified with DKIM/);
  steps.say('It finds only that the emulator has no DNS, and that the domain of the sender is unverified');
};

/**
 * The stack resists deletion. Destroyed all the same, it leaves its tables and its bucket, and a new one uses them.
 * @param withCv the contact request with a file
 */
const comeBack = async (cast: Cast, deployed: Deployed, stored: Stored, withCv: string): Promise<void> => {
  const { operator, aws, receiver, steps } = cast;
  const { stack, outputs } = deployed;
  const { ContactsTable: contacts = '', CampaignsTable: campaigns = '', TokensTable: tokens = '' } = outputs;
  const { FilesBucket: bucket = '' } = outputs;
  await steps.run('cdk destroy', async () => {
    await assert.rejects(operator.destroy(stack), /cannot be deleted while TerminationProtection is enabled/);
    steps.say('Refused: the stack is protected against deletion');
    await destroy(cast, deployed);
    assert.deepEqual((await aws.tablesOf(stack)).toSorted(), [contacts, campaigns, tokens].toSorted());
    assert.equal((await aws.keysIn(bucket)).length, 1);
    steps.say('Without the protection, the stack is deleted, and its three tables and its bucket stay');
  });
  await steps.run('cdk deploy, with the tables of the destroyed stack', async () => {
    const settings = {
      ...withFiles,
      files: { ...withFiles.files, existingBucket: bucket },
      notifications: notificationsTo(receiver.url),
      existingTables: { contacts, campaigns, tokens },
    };
    const again = await deploy(cast, environment, settings, '--import-existing-resources');
    await findAll(cast, again, stored);
    await downloadCv(cast, again, stored.token, withCv);
    await expectWebhook(cast, again, stored);
  });
};
