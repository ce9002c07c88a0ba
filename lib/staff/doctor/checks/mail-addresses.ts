import { GetFunctionConfigurationCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetAccountCommand, GetEmailIdentityCommand, NotFoundException, SESv2Client } from '@aws-sdk/client-sesv2';
import * as v from 'valibot';
import { notifyVariables } from '../../../../functions/notify/targets.ts';
import { identitiesOf } from '../../../infrastructure/targets.ts';
import { StaffError } from '../../command-line/staff-error.ts';
import { type Check, type Finding, wrong } from '../check.ts';
import type { Deployment } from '../deployment.ts';

const sandbox = 'docs/first-deployment.md#7-notifications';

const { MAIL_FROM, TARGETS } = notifyVariables;

/** Whether SES has verified an address, by whichever identity. */
const isVerified = async (client: SESv2Client, address: string): Promise<boolean> => {
  for (const EmailIdentity of identitiesOf(address)) {
    try {
      const answer = await client.send(new GetEmailIdentityCommand({ EmailIdentity }));
      if (answer.VerifiedForSendingStatus) return true;
    } catch (error) {
      if (!(error instanceof NotFoundException)) throw error;
    }
  }
  return false;
};

/** The sender and each recipient, by the name of the target, as the function knows them: the outputs lack the sender. */
const mailsOf = async ({ notifications, client, stack }: Deployment) => {
  if (!notifications?.targets.some(({ kind }) => kind === 'email')) return undefined;
  const { Environment } = await client(LambdaClient).send(
    new GetFunctionConfigurationCommand({ FunctionName: notifications.notifyFunction }),
  );
  const result = v.safeParse(v.object({ MAIL_FROM, TARGETS }), Environment?.Variables);
  if (!result.success || result.output.MAIL_FROM === undefined) {
    throw new StaffError(`The variables of the function notify are not as deployed: npx cdk deploy ${stack}`);
  }
  const recipients = Object.entries(result.output.TARGETS).flatMap(([name, target]) =>
    target.kind === 'email' ? [{ name, to: target.to }] : [],
  );
  return { from: result.output.MAIL_FROM, recipients };
};

/** Checks that Amazon SES may send the mails: the account, the sender and, in the sandbox, the recipients. */
export const mailAddresses: Check = {
  name: 'mail addresses',
  actions: ['lambda:GetFunctionConfiguration', 'ses:GetAccount', 'ses:GetEmailIdentity'],
  look: async (deployment) => {
    const mails = await mailsOf(deployment);
    if (!mails) return [];
    const ses = deployment.client(SESv2Client);
    const account = await ses.send(new GetAccountCommand({}));
    const findings: Finding[] = [];
    if (account.SendingEnabled === false || account.EnforcementStatus === 'SHUTDOWN') {
      findings.push(
        wrong(
          "Amazon has stopped this account's mails.",
          'https://docs.aws.amazon.com/ses/latest/dg/faqs-enforcement.html',
        ),
      );
    }
    // Not the addresses themselves, which would stand in the log of a CI job.
    if (!(await isVerified(ses, mails.from))) {
      findings.push(
        wrong(
          'The address from of notifications is not verified: no mail goes out.',
          `Click the link that SES has mailed to it (${sandbox}).`,
        ),
      );
    }
    if (account.ProductionAccessEnabled) return findings;
    for (const { name, to } of mails.recipients) {
      if (await isVerified(ses, to)) continue;
      findings.push(
        wrong(
          `The address of ${name} is not verified, and SES is in its sandbox: it gets no mail.`,
          `Click the link that SES has mailed to it, or leave the sandbox (${sandbox}); ${deployment.crcs('notifications test')} shows whose it is.`,
        ),
      );
    }
    return findings;
  },
};
