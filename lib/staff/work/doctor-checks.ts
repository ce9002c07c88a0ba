import { CloudFormationClient, paginateListStackResources } from '@aws-sdk/client-cloudformation';
import { GetFunctionConfigurationCommand, LambdaClient } from '@aws-sdk/client-lambda';
import {
  type DkimAttributes,
  GetAccountCommand,
  type GetAccountCommandOutput,
  GetConfigurationSetCommand,
  GetEmailIdentityCommand,
  GetSuppressedDestinationCommand,
  NotFoundException,
  SESv2Client,
} from '@aws-sdk/client-sesv2';
import { paginateListSubscriptionsByTopic, SNSClient } from '@aws-sdk/client-sns';
import * as v from 'valibot';
import { confirmSettings } from '../../../functions/notify/confirm-settings.ts';
import { notifySettings } from '../../../functions/notify/notify-settings.ts';
import { readVariables } from '../../../functions/shared/variables.ts';
import { readTokens } from '../../../functions/tokens/manage-tokens.ts';
import { isExpired, type TokenRecord } from '../../../functions/tokens/token.ts';
import { publicEndpoints } from '../../infrastructure/endpoints.ts';
import { identitiesOf } from '../../infrastructure/notification-targets.ts';
import { confirmationIn, targetsIn } from '../../infrastructure/outputs.ts';
import { senderAddress } from '../../infrastructure/sender.ts';
import { readAccountPlan } from '../../shared/account-plan.ts';
import { requestText } from '../../shared/network.ts';
import { StaffError } from '../../shared/staff-error.ts';
import { count, printable, quoted } from '../../shared/terminal-text.ts';
import { describeFailure, missingPermission } from '../environment/failure.ts';
import type { StaffEnvironment } from '../environment/staff-environment.ts';
import type { Result } from '../tool/command.ts';
import type { CommandIo } from '../tool/command-io.ts';
import {
  aws,
  type Check,
  crcs,
  type Deployed,
  type Finding,
  note,
  type Resource,
  revertDrift,
  wrong,
} from './doctor-check.ts';
import { checkFiles } from './doctor-files.ts';
import { readRefusals, refusalDays } from './refusals.ts';

const listResources = async ({ client, stack }: Omit<Deployed, 'resources'>): Promise<readonly Resource[]> => {
  const resources: Resource[] = [];
  const pages = paginateListStackResources({ client: client(CloudFormationClient) }, { StackName: stack.name });
  for await (const { StackResourceSummaries: page = [] } of pages) {
    for (const { ResourceType: type = '', LogicalResourceId: logicalId = '', PhysicalResourceId: physicalId } of page) {
      if (physicalId !== undefined) resources.push({ type, logicalId, physicalId });
    }
  }
  return resources;
};

/** An address gets alarms only after someone clicked a link, and anyone can click the link that ends them. */
const checkAlarmAddresses: Check = async (environment) => {
  const resources = await environment.resources;
  const topic = resources.find(({ type, logicalId }) => type === 'AWS::SNS::Topic' && /AlarmsTopic/.test(logicalId));
  if (!topic) return [];
  const arns: string[] = [];
  const pages = paginateListSubscriptionsByTopic(
    { client: environment.client(SNSClient) },
    { TopicArn: topic.physicalId },
  );
  for await (const { Subscriptions: page = [] } of pages) {
    for (const { SubscriptionArn = '' } of page) arns.push(SubscriptionArn);
  }
  const unconfirmed = arns.filter((arn) => arn === 'PendingConfirmation').length;
  const confirmed = arns.filter((arn) => arn.startsWith('arn:')).length;
  const deployed = resources.filter(({ physicalId }) => physicalId.startsWith(`${topic.physicalId}:`)).length;
  const gone = Math.max(0, deployed - confirmed - unconfirmed);
  const list = aws(environment, `sns list-subscriptions-by-topic --topic-arn ${topic.physicalId}`);
  const findings: Finding[] = [];
  if (unconfirmed > 0) {
    findings.push(
      wrong(
        `Addresses in alarmEmails that get no alarms, because they are unconfirmed: ${unconfirmed}.`,
        `Click the link in the email "AWS Notification - Subscription Confirmation". To see the addresses: ${list}`,
      ),
    );
  }
  if (gone > 0) {
    findings.push(
      wrong(
        `Addresses in alarmEmails that get no alarms, because they unsubscribed: ${gone}.`,
        `${revertDrift(environment)}. To see the remaining addresses: ${list}`,
      ),
    );
  }
  return findings;
};

/** @returns undefined if SES has no such identity or address */
const unlessMissing = async <Found>(request: Promise<Found>): Promise<Found | undefined> => {
  try {
    return await request;
  } catch (error) {
    if (error instanceof NotFoundException) return undefined;
    throw error;
  }
};

const mailSettings = v.pick(notifySettings, ['mailFrom', 'targets']);

const senderSettings = v.pick(confirmSettings, ['mailFrom']);

/** What a function reads from its variables: the outputs lack the sender. */
const variablesOf = async ({ client }: Deployed, FunctionName: string) => {
  const configuration = await client(LambdaClient).send(new GetFunctionConfigurationCommand({ FunctionName }));
  return configuration.Environment?.Variables ?? {};
};

/**
 * Whether SES signs emails with a key of the domain. It signs for an address only if the domain does:
 * https://docs.aws.amazon.com/ses/latest/APIReference/API_SetIdentityDkimEnabled.html
 */
const isSigned = ({ SigningEnabled, Status }: DkimAttributes = {}) => SigningEnabled === true && Status === 'SUCCESS';

const setup = 'docs/email.md#email-addresses-and-the-ses-sandbox';

/** @returns the first of these identities that SES has verified */
const firstVerified = async (ses: SESv2Client, identities: readonly string[]) => {
  for (const EmailIdentity of identities) {
    const identity = await unlessMissing(ses.send(new GetEmailIdentityCommand({ EmailIdentity })));
    if (identity?.VerifiedForSendingStatus) return identity;
  }
  return undefined;
};

const isVerified = async (ses: SESv2Client, address: string) =>
  (await firstVerified(ses, identitiesOf(address))) !== undefined;

const findingsOfSender = async (
  ses: SESv2Client,
  from: string,
  account: GetAccountCommandOutput,
): Promise<readonly Finding[]> => {
  const findings: Finding[] = [];
  if (account.SendingEnabled === false || account.EnforcementStatus === 'SHUTDOWN') {
    const remedy = 'https://docs.aws.amazon.com/ses/latest/dg/faqs-enforcement.html';
    findings.push(wrong('Amazon has stopped the emails of this account.', remedy));
  }
  const [, ...domains] = identitiesOf(from);
  const domain = await firstVerified(ses, domains);
  if (!domain && !(await isVerified(ses, from))) {
    const remedy = `Click the link in the email from SES: see ${setup}.`;
    findings.push(wrong('The sender, notifications.from, is unverified: no email is sent.', remedy));
  } else if (!isSigned(domain?.DkimAttributes)) {
    findings.push(
      note(
        'The domain of the sender, notifications.from, is not verified with DKIM. Without a custom MAIL FROM domain, its emails fail DMARC: receivers may treat them as spam or refuse them.',
        'Verify the domain: see docs/email.md#the-domain-of-the-sender.',
      ),
    );
  }
  return findings;
};

const hasEmailTargets = ({ outputs }: Deployed): boolean =>
  targetsIn(outputs)?.targets.some(({ kind }) => kind === 'email') ?? false;

/** SES accepts mails that it will not deliver, and mails that receivers do not trust. */
const checkEmailAddresses: Check = async (environment) => {
  const deployed = targetsIn(environment.outputs);
  if (!deployed || !hasEmailTargets(environment)) return [];
  const variables = await variablesOf(environment, deployed.notifyFunction);
  const { mailFrom = '', targets } = readVariables(mailSettings, variables);
  const ses = environment.client(SESv2Client);
  const account = await ses.send(new GetAccountCommand({}));
  const findings = [...(await findingsOfSender(ses, senderAddress(mailFrom), account))];
  for (const [name, target] of Object.entries(targets)) {
    if (target.kind !== 'email') continue;
    const shows = `To see the address: ${crcs(environment, 'notifications test')}`;
    if (!account.ProductionAccessEnabled && !(await isVerified(ses, target.to))) {
      const remedy = `Click the link in the email from SES, or leave the sandbox: see ${setup}. ${shows}`;
      findings.push(
        wrong(`The address of ${name} is unverified, and SES is in its sandbox: the address gets no email.`, remedy),
      );
    }
    if (await unlessMissing(ses.send(new GetSuppressedDestinationCommand({ EmailAddress: target.to })))) {
      const remedy = `See docs/runbook.md#mail-bounces. ${shows}`;
      findings.push(
        wrong(`The address of ${name} is on the suppression list of SES: the address gets no email.`, remedy),
      );
    }
  }
  return findings;
};

/** Confirmations go to anyone, which SES's sandbox does not allow. */
const checkConfirmations: Check = async (environment) => {
  const deployed = confirmationIn(environment.outputs);
  if (!deployed) return [];
  const ses = environment.client(SESv2Client);
  const account = await ses.send(new GetAccountCommand({}));
  const set = await ses.send(new GetConfigurationSetCommand({ ConfigurationSetName: deployed.configurationSet }));
  const findings: Finding[] = [];
  if (set.SendingOptions?.SendingEnabled === false) {
    const remedy = `See docs/runbook.md#confirmation-bounces. To turn them on again: ${crcs(environment, 'confirmations resume')}`;
    findings.push(wrong('Confirmations are stopped: too many bounced or were marked as spam.', remedy));
  }
  const { Max24HourSend: quota = -1 } = account.SendQuota ?? {};
  const ofDay = 24 * (environment.settings.confirmationsPerHour ?? 0);
  if (!account.ProductionAccessEnabled) {
    findings.push(wrong('SES is in its sandbox: no visitor gets a confirmation.', `Leave the sandbox: see ${setup}.`));
  } else if (quota > 0 && ofDay > quota / 2) {
    findings.push(
      note(
        `A day of confirmationsPerHour is ${ofDay} confirmations, more than half of the ${quota} emails that SES sends for this account in a day: a flood could leave too few for notifications.`,
        'Lower confirmationsPerHour, or ask SES for more: https://docs.aws.amazon.com/ses/latest/dg/manage-sending-quotas-request-increase.html',
      ),
    );
  }
  if (hasEmailTargets(environment)) return findings;
  const { mailFrom } = readVariables(senderSettings, await variablesOf(environment, deployed.confirmFunction));
  return [...findings, ...(await findingsOfSender(ses, senderAddress(mailFrom), account))];
};

/** While notifications are paused, no alarm watches the stream, which `fan-out` must read within hours. */
const checkNotifications: Check = async ({ settings }) =>
  settings.notificationsPaused ? [note('Notifications are paused.', 'See docs/notifications.md#paused.')] : [];

/** Milliseconds before something ends that it is reported: someone may be on holiday. */
const notice = 14 * 24 * 60 * 60 * 1000;

/** AWS closes an account of the Free plan at its end: https://docs.aws.amazon.com/awsaccountbilling/latest/aboutv2/free-tier-plans.html */
const checkAccountPlan: Check = async ({ now }) => {
  const plan = await readAccountPlan(now());
  if (plan?.accountPlanType !== 'FREE') return [];
  const end = plan.accountPlanExpirationDate;
  const remedy = 'aws freetier upgrade-account-plan --account-plan-type PAID --region us-east-1';
  if (plan.accountPlanStatus === 'EXPIRED') {
    return [wrong("AWS's Free plan of this account has ended: AWS closes the account.", remedy)];
  }
  const isSoon = end !== undefined && end.getTime() < now().getTime() + notice;
  const when = end === undefined ? 'after six months' : `on ${end.toISOString().slice(0, 10)}`;
  const what = `This account has AWS's Free plan: AWS closes it ${when}, or earlier if its credits end.`;
  return [isSoon ? wrong(what, remedy) : note(what, remedy)];
};

const checkTokens: Check = async (environment) => {
  const now = environment.now();
  const soon = new Date(now.getTime() + notice);
  const unreadable: string[] = [];
  const tokens = await readTokens(environment.tables.tokens, (name) => unreadable.push(name));
  const lasting = new Set(tokens.filter((token) => !isExpired(token, soon)).map(({ name }) => name));
  // A token that never had longer to live was meant to end soon.
  const isTemporary = (token: TokenRecord) => isExpired(token, new Date(Date.parse(token.createdAt) + notice));
  const expiring = tokens.filter((token) => isExpired(token, soon) && !lasting.has(token.name) && !isTemporary(token));
  return [
    ...expiring.map((token) => {
      const { name, expiresAt } = token;
      const rotate = crcs(environment, `tokens rotate ${quoted(name)}`);
      return isExpired(token, now)
        ? note(`The token "${name}" expired at ${expiresAt}.`, `${rotate}, or revoke the token`)
        : wrong(`The token "${name}" expires at ${expiresAt}.`, rotate);
    }),
    ...unreadable.map((name) => wrong(`The token "${name}" is unreadable.`, 'See docs/runbook.md#unreadable-items.')),
  ];
};

/** Milliseconds for the API to respond. */
const timeout = 10_000;

/** The gateway's response to a request without a token. */
const unauthorized = v.pipe(v.string(), v.parseJson(), v.object({ error: v.literal('Unauthorized') }));

/** @returns why the API does not respond there; nothing if it does */
const errorOf = async (baseUrl: string): Promise<string | undefined> => {
  try {
    const path = publicEndpoints.map((endpoint) => endpoint.path).join();
    const { status, body } = await requestText(new URL(baseUrl + path), { timeout });
    return status === 401 && v.is(unauthorized, body) ? undefined : `HTTP ${status}, not this service`;
  } catch (error) {
    const reason = error instanceof Error && error.cause !== undefined ? error.cause : error;
    return reason instanceof Error && 'code' in reason && typeof reason.code === 'string'
      ? reason.code
      : String(reason);
  }
};

/** Finds problems of DNS, of the certificate, and of everything else between a visitor and the API. */
const checkBaseUrls: Check = async (environment) => {
  const { outputs, settings } = environment;
  const domains = (settings.domains ?? []).map((domain) => `https://${domain}`);
  const urls = new Set([outputs['BaseUrl'], outputs['DefaultUrl'], ...domains].filter((url) => url !== undefined));
  const all = [...urls].map(async (url) => {
    const error = await errorOf(url);
    if (error === undefined) return [];
    const isOwnDomain = url !== (outputs['DefaultUrl'] ?? outputs['BaseUrl']);
    const remedy = isOwnDomain ? 'See docs/deploy.md#move-to-a-domain-of-your-own.' : revertDrift(environment);
    return [wrong(`${url} does not respond: ${error}.`, remedy)];
  });
  return (await Promise.all(all)).flat();
};

/** From this share on, a form probably sends what the service refuses. */
const highShare = 0.1;

/** Visitors see why a form is refused, its owner does not. No alarm can tell these from the refusals of bots. */
const checkRefusals: Check = async (environment, io) => {
  const logs = (await environment.resources).filter(
    ({ type, logicalId }) => type === 'AWS::Logs::LogGroup' && /(CreateContactLogs|AccessLog)/.test(logicalId),
  );
  if (logs.length === 0) return [];
  const names = logs.map(({ physicalId }) => physicalId);
  const read = await readRefusals(environment, names, io);
  if (!read)
    return [note('The query of the logs for refused contact requests takes too long.', 'Run the doctor again.')];
  const { sent, refused, reasons } = read;
  if (refused === 0) return [];
  const share = refused / sent;
  const amounts = reasons.map(([reason, amount]) => `${reason} (${amount})`).join(', ');
  const percent = share < 0.01 ? 'less than 1 %' : `${Math.round(share * 100)} %`;
  const ofAll = sent === 0 ? ', of an unknown number, because the access log is empty' : ` of ${sent}, ${percent}`;
  return [
    note(
      `Contact requests of the last ${refusalDays} days that were refused: ${refused}${ofAll}. Reasons: ${amounts}.`,
      share < highShare
        ? 'A few are normal, because visitors correct them. If nothing arrives from a form, see docs/troubleshooting.md#nothing-arrives.'
        : 'That is a lot, so a form may not fit the service: see docs/troubleshooting.md#nothing-arrives.',
    ),
  ];
};

const checks: Readonly<Record<string, Check>> = {
  'account plan': checkAccountPlan,
  'alarm addresses': checkAlarmAddresses,
  'email addresses': checkEmailAddresses,
  confirmations: checkConfirmations,
  notifications: checkNotifications,
  files: checkFiles,
  'token expiry': checkTokens,
  'base URLs': checkBaseUrls,
  'refused contact requests': checkRefusals,
};

const policy = 'For the permissions that the doctor needs, see docs/operation.md#look-after-it.';

const failed = (name: string, error: unknown): Finding => {
  const action = error instanceof Error ? missingPermission(error) : undefined;
  return action === undefined
    ? wrong(`The check of ${name} failed: ${describeFailure(error)}`, 'Run the doctor again.')
    : wrong(`The check of ${name} failed: these AWS credentials lack ${action}.`, policy);
};

/** Looks for problems of a deployed environment that no alarm can see. It fails if something is wrong. */
export const examine = async (environment: StaffEnvironment, io: CommandIo): Promise<Result> => {
  const { name, stack } = environment;
  if (!stack) throw new Error('The doctor needs a stack');
  const deployed = { ...environment, stack, resources: listResources({ ...environment, stack }) };
  const all = Object.entries(checks).map(async ([check, look]) => {
    const found = await look(deployed, io).catch((error: unknown) => [failed(check, error)]);
    return found.map((finding) => ({ check, ...finding }));
  });
  const findings = (await Promise.all(all)).flat();
  io.signal.throwIfAborted();

  // "wrong" comes before "note".
  findings.sort((one, other) => other.severity.localeCompare(one.severity));
  const amount = Object.keys(checks).length;
  const wrongs = findings.filter(({ severity }) => severity === 'wrong').length;
  const lines = findings.map(({ severity, what, remedy }) => {
    const label = io.style(severity === 'wrong' ? 'red' : 'yellow', `${severity}:`);
    return `${label} ${printable(what)}\n  ${printable(remedy)}\n`;
  });
  if (wrongs === 0) lines.push(`${io.style('green', `No problems found in ${count(amount, 'check')}.`)}\n`);
  return {
    json: { environment: name, checks: amount, findings },
    text: lines.join(''),
    error: wrongs > 0 ? new StaffError(`Found ${count(wrongs, 'problem')}.`) : undefined,
  };
};
