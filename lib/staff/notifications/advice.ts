import type { Target } from './notifications.ts';

type Advice = readonly [reason: RegExp, kinds: readonly Target['kind'][], advice: string];

const webhooks = ['standard', 'slack'] as const;

/** What to do about the reasons that functions/notify/ gives, the first that fits; `who` stands for the address. */
const advices: readonly Advice[] = [
  [
    /^SES (MessageRejected|MailFromDomainNotVerified)/,
    ['email'],
    'SES sends only from and, in its sandbox, only to what has confirmed: click the links of its mails, or leave the sandbox (docs/first-deployment.md, "Notifications").',
  ],
  [
    /^SES (AccountSuspended|SendingPaused)/,
    ['email'],
    "Amazon has stopped this account's mails: its SES console says why.",
  ],
  [/^SES (TooManyRequests|LimitExceeded|Throttling)/, ['email'], 'SES takes no more for now: try again later.'],
  [
    /^(SES|secret) (AccessDenied|ResourceNotFound)/,
    ['email', 'standard'],
    'Deploy the environment again, which mends what its function may do.',
  ],
  [
    /^secret unusable/,
    ['standard'],
    'Somebody stored what is no base64: make a new secret by "notifications rotate", if need be with --force.',
  ],
  [/^(SES|secret) /, ['email', 'standard'], 'AWS has failed, or was too slow: try again.'],
  [
    /^HTTP 40[13]\b/,
    ['standard'],
    'Does the receiver verify with the secret that "notifications secret" prints (docs/notifications.md)?',
  ],
  [/^HTTP 3\d\d\b/, webhooks, 'Set the URL that it redirects to.'],
  [/^HTTP (403|404|410)\b/, webhooks, 'Is the URL still the one that the receiver gives out?'],
  [/^HTTP 429\b/, webhooks, 'The receiver takes no more for now: try again later.'],
  [/^HTTP 4\d\d\b/, webhooks, 'The receiver does not take the form of what it gets (docs/notifications.md).'],
  [/^HTTP 5\d\d\b/, webhooks, 'The receiver has failed: its own log says why.'],
  [/^no answer /, webhooks, 'A receiver answers first and works afterwards (docs/notifications.md).'],
  [
    /^(E[A-Z_]+|Error|CERT_\w+|\w+_CERT\w*|ERR_\w+|HPE_\w+|UNABLE_TO_\w+)$/,
    webhooks,
    'Nothing answers at that URL as it should: are its host, its port and its certificate right?',
  ],
  [
    /^AccessDenied/,
    ['email', ...webhooks],
    'These AWS credentials may not invoke the function: they need lambda:InvokeFunction.',
  ],
  [/^ResourceNotFound/, ['email', ...webhooks], 'Its function is missing: deploy the environment again.'],
  [/^the function failed/, ['email', ...webhooks], 'Its log group in CloudWatch says why (docs/runbook.md).'],
];

/** What to do where a target was not told for this reason. */
export const adviceFor = ({ kind }: Target, reason: string): string | undefined =>
  advices.find(([pattern, kinds]) => kinds.includes(kind) && pattern.test(reason))?.[2];
