import { Annotations } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { checkTimeout } from '../../functions/spam/captcha.ts';
import type { Environment } from './settings.ts';

/** Concurrent invocations of `notify` for one target: the minimum of AWS. */
export const concurrencyOfTarget = 2;

/** Concurrent executions in a new account. */
const concurrencyOfNewAccount = 10;

/** Concurrent executions that may be taken without a warning: the form needs the others. */
const concurrencyWithoutWarning = 5;

/**
 * Warns if an environment can take so many concurrent executions that too few remain for the form in a new account: synthesis
 * cannot see an account's quotas. Other functions end within some tens of milliseconds.
 * @param targets how many targets get notifications, with the visitors as one if they get confirmations
 */
export const warnOfConcurrency = (
  scope: Construct,
  { name, spam, throttles, files }: Environment,
  targets: number,
): void => {
  // `npm start` has no such quota.
  if (name === 'local') return;
  const needs = [
    // fan-out runs once per shard of the stream, and a small table has one shard.
    { amount: targets > 0 ? targets * concurrencyOfTarget + 1 : 0, purpose: 'for notifications' },
    // It waits after a contact request that was deleted at once.
    { amount: files ? 1 : 0, purpose: 'for the deletion of files' },
    {
      amount: spam.captcha ? Math.ceil((throttles.public.rate * checkTimeout) / 1000) : 0,
      purpose: `for the form while the captcha's provider does not respond (throttles.public.rate × ${checkTimeout / 1000} seconds)`,
    },
  ].filter(({ amount }) => amount > 0);
  const most = needs.reduce((sum, { amount }) => sum + amount, 0);
  if (most <= concurrencyWithoutWarning) return;
  const parts = needs.map(({ amount, purpose }) => `${amount} ${purpose}`).join(', ');
  Annotations.of(scope).addWarningV2(
    'contact-service:concurrency',
    `This environment can take ${most} concurrent executions of Lambda: ${parts}. A new account has ${concurrencyOfNewAccount}, for all functions of a region. Check with "aws lambda get-account-settings". Ask for more with "aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value 1000".`,
  );
};
