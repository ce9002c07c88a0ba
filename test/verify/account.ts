import { GetAccountCommand } from '@aws-sdk/client-api-gateway';
import { paginateListStacks } from '@aws-sdk/client-cloudformation';
import { GetAccountSettingsCommand } from '@aws-sdk/client-lambda';
import { GetEmailIdentityCommand, NotFoundException } from '@aws-sdk/client-sesv2';
import { identitiesOf } from '../../lib/infrastructure/notification-targets.ts';
import { readAccountPlan } from '../../lib/shared/account-plan.ts';
import { callerAccount } from '../../lib/shared/aws.ts';
import { CommandError } from '../support/command.ts';
import type { Clients } from './clients.ts';
import { remainsOf } from './removal.ts';

/** What a volunteer should know before the run. */
export interface Account {
  readonly id: string;
  readonly plan: string;
  /** Concurrent executions of all functions in the region. */
  readonly concurrency: string;
  /** Requests a second, and the burst, of all APIs in the region. */
  readonly requests: string;
  /** With which API Gateway writes logs. */
  readonly role: string | undefined;
}

/** An account can have neither plan, and credentials can lack freetier:GetAccountPlanState. */
const planOf = async (): Promise<string> => {
  try {
    const plan = await readAccountPlan();
    if (plan === undefined) return 'neither Free nor Paid';
    const { accountPlanType, accountPlanStatus, accountPlanExpirationDate: end } = plan;
    return `${accountPlanType}, ${accountPlanStatus}${end ? `, until ${end.toISOString().slice(0, 10)}` : ''}`;
  } catch (error) {
    return `unknown (${error instanceof Error ? error.name : error})`;
  }
};

/** @throws {CommandError} if the region is not bootstrapped */
const refuseWithoutBootstrap = async ({ cloudFormation: client }: Clients, account: string, region: string) => {
  for await (const { StackSummaries = [] } of paginateListStacks({ client }, {})) {
    for (const { StackName = '', StackStatus } of StackSummaries)
      if (StackName.startsWith('CDKToolkit') && StackStatus !== 'DELETE_COMPLETE') return;
  }
  throw new CommandError(`Bootstrap first, once for the region: npx cdk bootstrap aws://${account}/${region}`);
};

/** @throws {CommandError} if SES cannot send from the address */
const refuseUnverified = async ({ ses }: Clients, from: string) => {
  for (const EmailIdentity of identitiesOf(from)) {
    try {
      const { VerifiedForSendingStatus } = await ses.send(new GetEmailIdentityCommand({ EmailIdentity }));
      if (VerifiedForSendingStatus) return;
    } catch (error) {
      if (!(error instanceof NotFoundException)) throw error;
    }
  }
  throw new CommandError(`SES in this region has not verified ${from}: verify it, or leave out --from`);
};

interface Choice {
  readonly region: string;
  readonly name: string;
  readonly from: string | undefined;
}

/**
 * Reads what matters of the account, and changes nothing.
 * @throws {CommandError} one line, if the run cannot begin
 */
export const readAccount = async (clients: Clients, { region, name, from }: Choice): Promise<Account> => {
  const id = await callerAccount(region).catch((error: unknown) => {
    if (!(error instanceof Error)) throw error;
    throw new CommandError(`AWS cannot be asked with these credentials: ${error.name}: ${error.message}`);
  });
  if (id === undefined) throw new CommandError('The response does not come from AWS');
  const [plan, { AccountLimit }, { throttleSettings, cloudwatchRoleArn: role }, remains] = await Promise.all([
    planOf(),
    clients.lambda.send(new GetAccountSettingsCommand({})),
    clients.apiGateway.send(new GetAccountCommand({})),
    remainsOf(clients, name),
  ]);
  if (remains.length > 0) throw new CommandError(`${name} exists already: ${remains[0]}`);
  await refuseWithoutBootstrap(clients, id, region);
  if (from !== undefined) await refuseUnverified(clients, from);
  return {
    id,
    plan,
    concurrency: String(AccountLimit?.ConcurrentExecutions ?? 'unknown'),
    requests: `${throttleSettings?.rateLimit ?? 'unknown'}, burst ${throttleSettings?.burstLimit ?? 'unknown'}`,
    role: role || undefined,
  };
};
