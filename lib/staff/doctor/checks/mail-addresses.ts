import { GetFunctionConfigurationCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetAccountCommand, GetEmailIdentityCommand, NotFoundException, SESv2Client } from '@aws-sdk/client-sesv2';
import * as v from 'valibot';
import { notifyVariables } from '../../../../functions/notify/notify-variables.ts';
import { identitiesOf } from '../../../infrastructure/notifications/targets.ts';
import { StaffError } from '../../command-line/staff-error.ts';
import { type Check, type Finding, wrong } from '../check.ts';
import type { Deployment } from '../deployment.ts';

const sandbox = 'docs/first-deployment.md#7-notifications';

const { TARGET } = notifyVariables;

/** Whether SES has an address confirmed, by whichever identity. */
const isConfirmed = async (client: SESv2Client, address: string): Promise<boolean> => {
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

/** Who mails to whom, as the functions know it, by the name of the target: the outputs do not say from where. */
const mailsOf = ({ notifications, client, stack }: Deployment) => {
  const lambda = client(LambdaClient);
  const emails = notifications?.targets.filter(({ kind }) => kind === 'email') ?? [];
  return Promise.all(
    emails.map(async ({ name, function: FunctionName }) => {
      const { Environment } = await lambda.send(new GetFunctionConfigurationCommand({ FunctionName }));
      const told = v.safeParse(v.object({ TARGET }), Environment?.Variables);
      if (told.success && told.output.TARGET.kind === 'email') return { name, ...told.output.TARGET };
      throw new StaffError(`The function of ${name} is of another version: npx cdk deploy ${stack}`);
    }),
  );
};

/** Whether Amazon SES may mail what is told: the account, the sender and, in the sandbox, who gets it. */
export const mailAddresses: Check = {
  name: 'mail addresses',
  actions: ['lambda:GetFunctionConfiguration', 'ses:GetAccount', 'ses:GetEmailIdentity'],
  look: async (deployment) => {
    const mails = await mailsOf(deployment);
    if (mails.length === 0) return [];
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
    for (const from of new Set(mails.map((mail) => mail.from))) {
      if (await isConfirmed(ses, from)) continue;
      findings.push(
        wrong(
          'The address from of notifications is not confirmed: no mail goes out.',
          `Click the link that SES has mailed to it (${sandbox}).`,
        ),
      );
    }
    if (account.ProductionAccessEnabled) return findings;
    for (const { name, to } of mails) {
      if (await isConfirmed(ses, to)) continue;
      findings.push(
        wrong(
          `The address of ${name} is not confirmed, and SES is in its sandbox: it gets no mail.`,
          `Click the link that SES has mailed to it, or leave the sandbox (${sandbox}); ${deployment.crcs('notifications test')} shows whose it is.`,
        ),
      );
    }
    return findings;
  },
};
