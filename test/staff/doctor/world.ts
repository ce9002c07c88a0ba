import type { IncomingMessage, ServerResponse } from 'node:http';
import * as v from 'valibot';
import { inject, onTestFinished, vi } from 'vitest';
import { toVariables } from '../../../functions/variables.ts';
import { openDeployment } from '../../../lib/staff/doctor/open.ts';
import { serve } from '../../support/server.ts';
import { startStaff } from '../staff.ts';

/** What AWS answers instead. */
class Fault {
  readonly name: string;
  readonly message: string;
  readonly status: number;

  constructor(name: string, message = `${name} of AWS`, status = 400) {
    this.name = name;
    this.message = message;
    this.status = status;
  }
}

export const fault = (name: string, message?: string, status?: number) => new Fault(name, message, status);

export const denied = (action: string) =>
  fault(
    'AccessDeniedException',
    `User: arn:aws:iam::123456789012:user/ci is not authorized to perform: ${action} on resource: x because no identity-based policy allows the ${action} action`,
    403,
  );

const input = v.record(v.string(), v.unknown());

type Input = v.InferOutput<typeof input>;

/** The part of an IAM action before the colon, by what stands in the header X-Amz-Target. */
const targets: Readonly<Record<string, string>> = {
  DynamoDB_20120810: 'dynamodb',
  AmazonSQS: 'sqs',
  Logs_20140328: 'logs',
  CertificateManager: 'acm',
  GraniteServiceVersion20100801: 'cloudwatch',
};

/** The same of what is asked by the URL, with what stands in it. */
const paths: readonly (readonly [RegExp, action: string])[] = [
  [/^\/2015-03-31\/functions\/(?<name>[^/]+)\/configuration$/, 'lambda:GetFunctionConfiguration'],
  [/^\/2015-03-31\/event-source-mappings\?FunctionName=(?<name>[^&]+)/, 'lambda:ListEventSourceMappings'],
  [/^\/v2\/email\/account$/, 'ses:GetAccount'],
  [/^\/v2\/email\/identities\/(?<name>[^/]+)$/, 'ses:GetEmailIdentity'],
  [/^\/domainnames\/(?<name>[^/]+)$/, 'apigateway:GET'],
];

const byForm = (form: URLSearchParams): readonly [action: string, Input] => {
  const service = { '2010-03-31': 'sns', '2011-06-15': 'sts' }[form.get('Version') ?? ''] ?? 'cloudformation';
  return [`${service}:${form.get('Action')}`, Object.fromEntries(form)];
};

/** What somebody asks of AWS: the IAM action, and what is given. */
const questionOf = ({ url = '', headers }: IncomingMessage, body: string): readonly [action: string, Input] => {
  const [target = '', operation] = String(headers['x-amz-target'] ?? '').split('.');
  if (operation !== undefined) return [`${targets[target]}:${operation}`, v.parse(input, JSON.parse(body))];
  for (const [pattern, action] of paths) {
    const found = pattern.exec(url);
    if (found) return [action, { name: decodeURIComponent(found.groups?.['name'] ?? '') }];
  }
  return byForm(new URLSearchParams(body));
};

/** As the services that speak XML have it: https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/ */
const xml = (value: unknown): string => {
  if (Array.isArray(value)) return value.map((each) => `<member>${xml(each)}</member>`).join('');
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value)
      .map(([name, each]) => `<${name}>${xml(each)}</${name}>`)
      .join('');
  }
  return String(value).replaceAll(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
};

const answerXml = (response: ServerResponse, action: string, answer: unknown) => {
  const [service = '', operation = ''] = action.split(':');
  const namespace = {
    sns: 'http://sns.amazonaws.com/doc/2010-03-31/',
    sts: 'https://sts.amazonaws.com/doc/2011-06-15/',
  }[service];
  const open = (name: string) =>
    `<${name} xmlns="${namespace ?? 'http://cloudformation.amazonaws.com/doc/2010-05-15/'}">`;
  const text =
    answer instanceof Fault
      ? `${open('ErrorResponse')}<Error><Type>Sender</Type><Code>${answer.name.replace('Exception', '')}</Code><Message>${xml(answer.message)}</Message></Error></ErrorResponse>`
      : `${open(`${operation}Response`)}<${operation}Result>${xml(answer)}</${operation}Result></${operation}Response>`;
  response.writeHead(answer instanceof Fault ? answer.status : 200, { 'Content-Type': 'text/xml' }).end(text);
};

const answerJson = (response: ServerResponse, answer: unknown) => {
  const headers = {
    'Content-Type': 'application/x-amz-json-1.0',
    ...(answer instanceof Fault && { 'x-amzn-ErrorType': answer.name }),
  };
  const body = answer instanceof Fault ? { __type: answer.name, message: answer.message } : answer;
  response.writeHead(answer instanceof Fault ? answer.status : 200, headers).end(JSON.stringify(body));
};

/** Gives a question to the embedded DynamoDB, with its answer. */
const passOn = async ({ headers }: IncomingMessage, body: Buffer, response: ServerResponse) => {
  const { host: _, connection: __, 'content-length': ___, ...rest } = headers;
  const sent = Object.entries(rest).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []));
  const answer = await fetch(inject('dynamoDbEndpoint'), {
    method: 'POST',
    headers: v.parse(v.array(v.strictTuple([v.string(), v.string()])), sent),
    body: new Uint8Array(body),
  });
  response.writeHead(answer.status, { 'Content-Type': 'application/x-amz-json-1.0' }).end(await answer.text());
};

export const day = 24 * 60 * 60 * 1000;

const topic = 'arn:aws:sns:eu-central-1:123456789012:alarms';

const findings = v.object({
  environment: v.string(),
  checks: v.number(),
  findings: v.array(
    v.strictObject({
      check: v.string(),
      what: v.string(),
      severity: v.picklist(['wrong', 'note']),
      remedy: v.string(),
    }),
  ),
});

/** A page of a site. */
interface SitePage {
  readonly status?: number;
  readonly type?: string;
  readonly location?: string;
  readonly body?: string;
}

/** A deployed environment `dev` that is as it should be, in an AWS of a test's own, and a site on this machine. */
export const startWorld = async () => {
  const staff = await startStaff();
  const pages = new Map<string, SitePage | 'silent'>();
  const visited: string[] = [];
  const site = await serve((request, response) => {
    visited.push(request.url ?? '');
    const page = pages.get(request.url ?? '');
    if (page === 'silent') return;
    const { status = page ? 200 : 404, type = 'text/html', location, body = '' } = page ?? {};
    response.writeHead(status, { 'Content-Type': type, ...(location && { Location: location }) }).end(body);
  });

  const asked: string[] = [];
  const silent = new Set<string>();
  const answers: Record<string, (given: Input) => unknown> = {};
  /** What the API answers to whoever has no token, at its base URL. */
  const api = { status: 401, body: '{"error":"Unauthorized"}' };
  const aws = await serve((request, response, body) => {
    if (request.method === 'GET' && request.url === '/dev/api/v1/contact') {
      if (silent.has('api')) return;
      response.writeHead(api.status, { 'Content-Type': 'application/json' }).end(api.body);
      return;
    }
    const [action, given] = questionOf(request, body.toString());
    asked.push(action);
    if (silent.has(action)) return;
    const answer = answers[action]?.(given);
    if (answer === undefined && action === 'dynamodb:Query') return void passOn(request, body, response);
    const told = answer ?? fault('UnknownOperation', action);
    if (/^(cloudformation|sns|sts):/.test(action)) answerXml(response, action, told);
    else answerJson(response, told);
  });
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
    vi.useRealTimers();
    await aws[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
  });
  for (const name of ['AWS_ENDPOINT_URL', 'AWS_ENDPOINT_URL_DYNAMODB']) vi.stubEnv(name, aws.url);
  vi.stubEnv('AWS_MAX_ATTEMPTS', '1');

  const { contacts, campaigns, tokens } = staff.tables;
  const target = (name: string, kind: string, address: string) => ({
    name,
    kind,
    address,
    queue: `${aws.url}/123456789012/${name}`,
    ...(kind === 'webhook' && { secret: 'arn:one' }),
  });
  const outputs: Record<string, string> = {
    BaseUrl: `${aws.url}/dev`,
    ContactsTable: contacts,
    CampaignsTable: campaigns,
    TokensTable: tokens,
    NotifyFunction: 'notify',
    DeadLetters: `${aws.url}/123456789012/dead-letters`,
    FanOutFailures: `${aws.url}/123456789012/fan-out-failures`,
    NotifyEmail1a2b3c4d: JSON.stringify(target('Email1a2b3c4d', 'email', 'office@example.com')),
    NotifyWebhook5e6f7a8b: JSON.stringify(target('Webhook5e6f7a8b', 'webhook', 'https://crm.example.com/…')),
  };
  const retain = (retainData: boolean) => {
    outputs['Settings'] = JSON.stringify({ version: '1.1.0', retainData, listShards: 1 });
  };
  retain(true);
  const stack = { StackStatus: 'UPDATE_COMPLETE', EnableTerminationProtection: true };
  const resources = [
    ['AWS::CloudWatch::Alarm', 'AlarmsapirateB0B1B2B3', 'ContactService-dev-api-5xx'],
    ['AWS::CloudWatch::Alarm', 'AlarmsunreadableitemsB0B1B2B3', 'ContactService-dev-unreadable-items'],
    ['AWS::SNS::Topic', 'AlarmsTopicA0A1A2A3', topic],
    ['AWS::SNS::Subscription', 'AlarmsTopicofficeA0A1A2A3', `${topic}:one`],
    ['AWS::SNS::Subscription', 'AlarmsTopicnightA0A1A2A3', `${topic}:two`],
    ['AWS::Lambda::Function', 'CreateContact01234567', 'create-contact'],
    ['AWS::Lambda::Function', 'NotificationsFanOut01234567', 'fan-out'],
    ['AWS::Logs::LogGroup', 'ApiAccessLog01234567', 'access-log'],
    ['AWS::Logs::LogGroup', 'CreateContactLogs01234567', 'create-contact-log'],
  ];
  /** What the function that takes forms is told of the sites. */
  const sites: object[] = [{ origin: site.url, language: 'en', thankYouUrl: `${site.url}/thanks` }];
  pages.set('/', { body: `<form method="post" action="${aws.url}/dev/api/v1/contact"><input name="message"></form>` });
  pages.set('/thanks', { body: 'Thank you' });

  const verified = new Set(['office@example.com', 'example.com']);
  const variablesOf: Record<string, () => Readonly<Record<string, string>>> = {
    'create-contact': () => toVariables({ SITES: sites }),
    notify: () =>
      toVariables({
        MAIL_FROM: 'contact@mail.example.com',
        TARGETS: {
          Email1a2b3c4d: { kind: 'email', to: 'office@example.com' },
          Webhook5e6f7a8b: { kind: 'webhook', url: 'https://crm.example.com/hooks', secret: 'arn:one' },
        },
      }),
  };
  const mapping = (source: string) => ({ EventSourceArn: `arn:aws:${source}`, State: 'Enabled' });
  /** What Lambda reads for a function, by its name. */
  const mappings: Record<string, { EventSourceArn: string; State: string }[]> = {
    'fan-out': [mapping('dynamodb:eu-central-1:123456789012:table/contacts/stream/2026')],
    notify: ['Email1a2b3c4d', 'Webhook5e6f7a8b'].map((name) => mapping(`sqs:eu-central-1:123456789012:${name}`)),
  };
  /** What waits in a queue, by its name. */
  const queues = new Map<string, { readonly visible?: number; readonly hidden?: number }>();
  const alarm = (AlarmName: unknown) => ({
    AlarmName,
    AlarmDescription: `Something. What to do: docs/runbook.md#${String(AlarmName).replace('ContactService-dev-', '')}`,
    StateValue: 'OK',
    ActionsEnabled: true,
    AlarmActions: [topic],
  });

  Object.assign(answers, {
    'sts:GetCallerIdentity': () => ({ Account: '123456789012', Arn: 'arn:aws:iam::123456789012:user/ci', UserId: 'A' }),
    'cloudformation:DescribeStacks': ({ StackName }: Input) =>
      StackName === 'ContactService-dev'
        ? {
            Stacks: [
              {
                StackId: 'arn:aws:cloudformation:eu-central-1:123456789012:stack/ContactService-dev/0b1c',
                StackName,
                ...stack,
                Outputs: Object.entries(outputs).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue })),
              },
            ],
          }
        : fault('ValidationError', `Stack with id ${StackName} does not exist`),
    'cloudformation:ListStackResources': () => ({
      StackResourceSummaries: resources.map(([ResourceType, LogicalResourceId, PhysicalResourceId]) => ({
        ResourceType,
        LogicalResourceId,
        PhysicalResourceId,
      })),
    }),
    'cloudformation:DetectStackDrift': () => ({ StackDriftDetectionId: 'one' }),
    'cloudformation:DescribeStackDriftDetectionStatus': () => ({ DetectionStatus: 'DETECTION_COMPLETE' }),
    'cloudformation:DescribeStackResourceDrifts': () => ({
      StackResourceDrifts: [
        {
          LogicalResourceId: 'Tokens',
          ResourceType: 'AWS::DynamoDB::GlobalTable',
          StackResourceDriftStatus: 'IN_SYNC',
        },
        { LogicalResourceId: 'Key', ResourceType: 'AWS::SecretsManager::Secret', StackResourceDriftStatus: 'UNKNOWN' },
      ],
    }),
    'dynamodb:DescribeTable': () => ({
      Table: { TableStatus: 'ACTIVE', DeletionProtectionEnabled: true, StreamSpecification: { StreamEnabled: true } },
    }),
    'dynamodb:DescribeContinuousBackups': () => ({
      ContinuousBackupsDescription: {
        ContinuousBackupsStatus: 'ENABLED',
        PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus: 'ENABLED' },
      },
    }),
    'dynamodb:DescribeTimeToLive': () => ({
      TimeToLiveDescription: { TimeToLiveStatus: 'ENABLED', AttributeName: 'expiresAt' },
    }),
    'cloudwatch:DescribeAlarms': ({ AlarmNames }: Input) => ({
      MetricAlarms: v.parse(v.array(v.string()), AlarmNames).map(alarm),
    }),
    'sns:ListSubscriptionsByTopic': () => ({
      Subscriptions: ['one', 'two'].map((id) => ({ SubscriptionArn: `${topic}:${id}`, Endpoint: `${id}@example.com` })),
    }),
    'lambda:GetFunctionConfiguration': ({ name }: Input) => ({
      FunctionName: name,
      Environment: { Variables: variablesOf[String(name)]?.() ?? {} },
      LoggingConfig: { LogGroup: `${name}-log` },
    }),
    'lambda:ListEventSourceMappings': ({ name }: Input) => ({ EventSourceMappings: mappings[String(name)] }),
    'ses:GetAccount': () => ({ SendingEnabled: true, EnforcementStatus: 'HEALTHY', ProductionAccessEnabled: false }),
    'ses:GetEmailIdentity': ({ name }: Input) =>
      verified.has(String(name)) ? { VerifiedForSendingStatus: true } : fault('NotFoundException', 'No.', 404),
    'sqs:GetQueueAttributes': ({ QueueUrl }: Input) => {
      const { visible = 0, hidden = 0 } = queues.get(String(QueueUrl).split('/').at(-1) ?? '') ?? {};
      return {
        Attributes: {
          ApproximateNumberOfMessages: String(visible),
          ApproximateNumberOfMessagesNotVisible: String(hidden),
        },
      };
    },
    'logs:FilterLogEvents': () => ({ events: [] }),
    'logs:DescribeLogGroups': () => ({
      logGroups: [{ logGroupName: 'access-log', creationTime: Date.now() - 400 * day, retentionInDays: 365 }],
    }),
    'logs:StartQuery': () => ({ queryId: 'one' }),
    'logs:GetQueryResults': () => ({ status: 'Complete', results: [] }),
    'apigateway:GET': ({ name }: Input) => ({
      domainName: name,
      domainNameStatus: 'AVAILABLE',
      regionalCertificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/one',
    }),
    'acm:DescribeCertificate': () => ({
      Certificate: { Status: 'ISSUED', NotAfter: (Date.now() + 60 * day) / 1000 },
    }),
  });

  const run = (...args: readonly string[]) => staff.run(['doctor', ...args, '--env', 'dev'], { openDeployment });

  return {
    url: aws.url,
    site: site.url,
    topic,
    tables: staff.tables,
    answers,
    outputs,
    stack,
    resources,
    sites,
    pages,
    /** What was asked of the site, in order. */
    visited,
    verified,
    mappings,
    queues,
    api,
    alarm,
    /** Each action that was asked for, in order. */
    asked,
    /** What is never answered: actions, or `api`. */
    silent,
    /** Whether the environment retains its data. */
    retain,
    /** Takes out all targets. */
    tellNobody: () => {
      for (const name of Object.keys(outputs)) if (/^(Notify|DeadLetters|FanOut)/.test(name)) delete outputs[name];
    },
    /** Runs another staff command on its tables. */
    staff: staff.run,
    run,
    /** What the doctor finds. */
    findings: async () => {
      const { stdout } = await run('--json');
      return v.parse(findings, JSON.parse(stdout)).findings;
    },
    /** What one check finds, as `wrong: What it is. -> What to do`. */
    foundBy: async (check: string) => {
      const { stdout } = await run('--json');
      return v
        .parse(findings, JSON.parse(stdout))
        .findings.filter((finding) => finding.check === check)
        .map(({ severity, what, remedy }) => `${severity}: ${what} -> ${remedy}`);
    },
  };
};

export type World = Awaited<ReturnType<typeof startWorld>>;
