import { GetAccountCommand, paginateGetRestApis, UpdateAccountCommand } from '@aws-sdk/client-api-gateway';
import {
  DeleteStackCommand,
  paginateListStacks,
  UpdateTerminationProtectionCommand,
} from '@aws-sdk/client-cloudformation';
import { paginateDescribeAlarms } from '@aws-sdk/client-cloudwatch';
import { DeleteLogGroupCommand, paginateDescribeLogGroups } from '@aws-sdk/client-cloudwatch-logs';
import {
  DeleteTableCommand,
  DescribeTableCommand,
  paginateListTables,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import {
  DeleteRoleCommand,
  DeleteRolePolicyCommand,
  DetachRolePolicyCommand,
  ListAttachedRolePoliciesCommand,
  ListRolePoliciesCommand,
  paginateListRoles,
} from '@aws-sdk/client-iam';
import { paginateListEventSourceMappings, paginateListFunctions } from '@aws-sdk/client-lambda';
import { paginateGetResources } from '@aws-sdk/client-resource-groups-tagging-api';
import { paginateListSecrets } from '@aws-sdk/client-secrets-manager';
import { paginateListTopics } from '@aws-sdk/client-sns';
import { paginateListQueues } from '@aws-sdk/client-sqs';
import { describeStacks } from '../../lib/shared/aws.ts';
import type { Steps } from '../rehearsal/steps.ts';
import { type Patience, until } from '../support/until.ts';
import type { Clients } from './clients.ts';
import { receiverStack, resourcePrefix, serviceStack, tagsOf } from './name.ts';
import { rememberedRole } from './receiver-stack.ts';

/** A run, for what removes it. */
export interface Remains {
  readonly clients: Clients;
  readonly name: string;
  readonly steps: Steps;
  /** Until CloudFormation has ended. */
  readonly patience: Patience;
  /** Until the last resource is no longer listed. */
  readonly listPatience: Patience;
  readonly signal: AbortSignal;
}

const collect = async <Page>(pages: AsyncIterable<Page>, namesIn: (page: Page) => readonly (string | undefined)[]) => {
  const all: string[] = [];
  for await (const page of pages) all.push(...namesIn(page).filter((name) => name !== undefined));
  return all;
};

const removeTable = async ({ dynamoDb }: Clients, TableName: string) => {
  const { Table } = await dynamoDb.send(new DescribeTableCommand({ TableName }));
  if (Table?.TableStatus === 'DELETING') return;
  // With point-in-time recovery, a deleted table leaves a backup for 35 days:
  // https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/PointInTimeRecovery_Howitworks.html
  const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: false };
  await dynamoDb.send(new UpdateContinuousBackupsCommand({ TableName, PointInTimeRecoverySpecification }));
  if (Table?.DeletionProtectionEnabled)
    await dynamoDb.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: false }));
  await waitUntilTableExists({ client: dynamoDb, minDelay: 1, maxDelay: 10, maxWaitTime: 300 }, { TableName });
  await dynamoDb.send(new DeleteTableCommand({ TableName }));
};

const removeRole = async ({ iam }: Clients, RoleName: string) => {
  const { AttachedPolicies = [] } = await iam.send(new ListAttachedRolePoliciesCommand({ RoleName }));
  for (const { PolicyArn } of AttachedPolicies) await iam.send(new DetachRolePolicyCommand({ RoleName, PolicyArn }));
  const { PolicyNames = [] } = await iam.send(new ListRolePoliciesCommand({ RoleName }));
  for (const PolicyName of PolicyNames) await iam.send(new DeleteRolePolicyCommand({ RoleName, PolicyName }));
  await iam.send(new DeleteRoleCommand({ RoleName }));
};

interface Kind {
  /** Those of the run, by their names. */
  list(clients: Clients, name: string): Promise<string[]>;
  /** Removes one that its stack leaves behind on purpose. */
  remove?(clients: Clients, resource: string): Promise<unknown>;
}

const startsAsOf = (name: string) => (resource: string) => resource.startsWith(resourcePrefix(name));

const lastPart = (arn = '') => arn.slice(arn.lastIndexOf(':') + 1);

/** What a run can leave behind. */
const kinds: Readonly<Record<string, Kind>> = {
  stack: {
    list: async ({ cloudFormation: client }, name) => {
      const stacks: readonly string[] = [serviceStack(name), receiverStack(name)];
      return collect(paginateListStacks({ client }, {}), ({ StackSummaries = [] }) =>
        StackSummaries.filter(
          ({ StackName = '', StackStatus }) =>
            // Those that are deleted stay listed for 90 days.
            stacks.includes(StackName) && StackStatus !== 'DELETE_COMPLETE',
        ).map(({ StackName }) => StackName),
      );
    },
  },
  table: {
    list: async ({ dynamoDb: client }, name) =>
      (await collect(paginateListTables({ client }, {}), ({ TableNames = [] }) => TableNames)).filter(startsAsOf(name)),
    remove: removeTable,
  },
  'log group': {
    // The name of the stack is not always at their beginning.
    list: async ({ logs: client }, name) =>
      collect(
        paginateDescribeLogGroups({ client }, { logGroupNamePattern: serviceStack(name) }),
        ({ logGroups = [] }) => logGroups.map(({ logGroupName }) => logGroupName),
      ),
    remove: ({ logs }, logGroupName) => logs.send(new DeleteLogGroupCommand({ logGroupName })),
  },
  role: {
    list: async ({ iam: client }, name) =>
      (
        await collect(paginateListRoles({ client }, {}), ({ Roles = [] }) => Roles.map(({ RoleName }) => RoleName))
      ).filter(startsAsOf(name)),
    remove: removeRole,
  },
  function: {
    list: async ({ lambda: client }, name) =>
      (
        await collect(paginateListFunctions({ client }, {}), ({ Functions = [] }) =>
          Functions.map(({ FunctionName }) => FunctionName),
        )
      ).filter(startsAsOf(name)),
  },
  'event source mapping': {
    list: async ({ lambda: client }, name) =>
      collect(paginateListEventSourceMappings({ client }, {}), ({ EventSourceMappings = [] }) =>
        EventSourceMappings.filter(({ FunctionArn }) => startsAsOf(name)(lastPart(FunctionArn))).map(
          ({ UUID }) => UUID,
        ),
      ),
  },
  queue: {
    list: async ({ sqs: client }, name) =>
      collect(paginateListQueues({ client }, { QueueNamePrefix: resourcePrefix(name) }), ({ QueueUrls = [] }) =>
        QueueUrls.map((url) => url.slice(url.lastIndexOf('/') + 1)),
      ),
  },
  topic: {
    list: async ({ sns: client }, name) =>
      (
        await collect(paginateListTopics({ client }, {}), ({ Topics = [] }) =>
          Topics.map(({ TopicArn }) => lastPart(TopicArn)),
        )
      ).filter(startsAsOf(name)),
  },
  alarm: {
    list: async ({ cloudWatch: client }, name) =>
      collect(paginateDescribeAlarms({ client }, { AlarmNamePrefix: resourcePrefix(name) }), ({ MetricAlarms = [] }) =>
        MetricAlarms.map(({ AlarmName }) => AlarmName),
      ),
  },
  API: {
    list: async ({ apiGateway: client }, name) =>
      collect(paginateGetRestApis({ client }, {}), ({ items = [] }) =>
        items.filter((api) => api.name === `contact-service-${name}`).map((api) => api.name),
      ),
  },
  secret: {
    // CloudFormation names secrets without the stack.
    list: async ({ secrets: client }, name) =>
      collect(
        paginateListSecrets({ client }, { Filters: [{ Key: 'tag-value', Values: [name] }] }),
        ({ SecretList = [] }) => SecretList.map((secret) => secret.Name),
      ),
  },
  'tagged resource': {
    list: async ({ tagging: client }, name) => {
      const TagFilters = Object.entries(tagsOf(name)).map(([Key, value]) => ({ Key, Values: [value] }));
      return collect(paginateGetResources({ client }, { TagFilters }), ({ ResourceTagMappingList = [] }) =>
        ResourceTagMappingList.map(({ ResourceARN }) => ResourceARN),
      );
    },
  },
};

/** All that is there of a run, by its names and by its tags. */
export const remainsOf = async (clients: Clients, name: string): Promise<string[]> => {
  const lists = Object.entries(kinds).map(async ([what, { list }]) =>
    (await list(clients, name)).map((resource) => `${what} ${resource}`),
  );
  return (await Promise.all(lists)).flat();
};

/** CloudFormation works on it. A stack in review does nothing until someone executes its change set. */
const isAtWork = (status: string) => status.endsWith('_IN_PROGRESS') && status !== 'REVIEW_IN_PROGRESS';

const removeStack = async ({ clients, patience, signal }: Remains, StackName: string): Promise<void> => {
  const { cloudFormation } = clients;
  /** Looks at the stack until its status is the end of something. */
  const untilStatus = (what: string, isEnd: (status: string) => boolean) =>
    until(
      `the end of the ${what} of ${StackName}`,
      async () => {
        const [stack] = (await describeStacks(cloudFormation, StackName)) ?? [];
        return stack === undefined || isEnd(stack.StackStatus ?? '') ? { stack } : undefined;
      },
      signal,
      patience,
    );
  let reason = '';
  // A second time for what failed the first time, such as a role that is still in use.
  for (const _ of ['first', 'second']) {
    const { stack } = await untilStatus('work', (status) => !isAtWork(status));
    if (!stack) return;
    if (stack.EnableTerminationProtection) {
      await cloudFormation.send(
        new UpdateTerminationProtectionCommand({ StackName, EnableTerminationProtection: false }),
      );
    }
    await cloudFormation.send(new DeleteStackCommand({ StackName }));
    const { stack: failed } = await untilStatus('deletion', (status) => status === 'DELETE_FAILED');
    if (!failed) return;
    reason = failed.StackStatusReason ?? '';
  }
  throw new Error(`CloudFormation cannot delete ${StackName}: ${reason}`);
};

/** The role with which API Gateway writes logs, if it is the run's, becomes what it was. */
const putRoleBack = async ({ clients, name, steps }: Remains): Promise<void> => {
  const { apiGateway } = clients;
  const { cloudwatchRoleArn } = await apiGateway.send(new GetAccountCommand({}));
  const [, role = ''] = /\/([^/]*)$/.exec(cloudwatchRoleArn ?? '') ?? [];
  if (!startsAsOf(name)(role)) return steps.say("The account's role of API Gateway is not of this run");
  const setTo = (value: string) =>
    apiGateway.send(
      new UpdateAccountCommand({
        // Without a value, it is removed.
        patchOperations: [{ op: 'replace', path: '/cloudwatchRoleArn', ...(value && { value }) }],
      }),
    );
  const before = (await rememberedRole(clients, name)) ?? '';
  try {
    await setTo(before);
    steps.say(
      before === '' ? 'API Gateway has no role in the account, as before' : 'API Gateway has its role of before',
    );
  } catch (error) {
    if (!(error instanceof Error && error.name === 'BadRequestException' && before !== '')) throw error;
    // API Gateway refuses a role that cannot write logs.
    await setTo('');
    steps.say(`API Gateway has no role now, because it refuses the one of before: ${error.message}`);
  }
};

/** Removes all of a run, whatever state it is in, and proves that nothing is left. */
export const remove = async (remains: Remains): Promise<void> => {
  const { clients, name, steps, listPatience, signal } = remains;
  await steps.run('Remove the stack', () => removeStack(remains, serviceStack(name)));
  // While the role still exists.
  await steps.run("Put API Gateway's role back", () => putRoleBack(remains));
  await steps.run('Remove the receiver', () => removeStack(remains, receiverStack(name)));
  await steps.run('Remove what the stack keeps', async () => {
    for (const [what, { list, remove: removeOne }] of Object.entries(kinds)) {
      if (!removeOne) continue;
      const left = await list(clients, name);
      for (const resource of left) await removeOne(clients, resource);
      if (left.length > 0) steps.say(`${left.length} × ${what}`);
    }
  });
  await steps.run('Look for what is left, by name and by tag', async () => {
    let left: readonly string[] = [];
    const isGone = async () => {
      left = await remainsOf(clients, name);
      return left.length === 0 || undefined;
    };
    await until('an empty list', isGone, signal, listPatience).catch((error: unknown) => {
      throw left.length > 0
        ? new Error(`Left, or still listed, since lists can be late (look again by --clean):\n${left.join('\n')}`)
        : error;
    });
    steps.say(`Nothing: ${Object.keys(kinds).length} lists are empty`);
  });
};
