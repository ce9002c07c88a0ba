import { CloudFormationClient, paginateListStackResources } from '@aws-sdk/client-cloudformation';
import { type AwsClient, type Bounds, makeClient } from '../../aws/client.ts';
import {
  type DeployedSettings,
  deployedSettingsIn,
  type TableNames,
  tableNamesIn,
} from '../../infrastructure/outputs.ts';
import { describeStack, notDeployed } from '../aws/stack.ts';
import { type TargetsAndQueues, targetsIn } from '../notifications/notifications.ts';
import { chosenBy, type StackPlace } from '../place.ts';

/** Something that the stack has made. */
interface Resource {
  /** Its type, as templates have it. */
  readonly type: string;
  readonly logicalId: string;
  /** What AWS calls it: a name or an ARN. */
  readonly physicalId: string;
}

/** A deployed environment, to be looked at. */
export interface Deployment {
  /** The stack's name. */
  readonly stack: string;
  readonly region: string;
  readonly outputs: Readonly<Record<string, string | undefined>>;
  /** What it was deployed with. */
  readonly settings: DeployedSettings;
  readonly tables: TableNames;
  /** What notifies people of contact requests; nothing if the environment has no notifications. */
  readonly notifications: TargetsAndQueues | undefined;
  /** The resources of a type. */
  readonly resources: (type: string) => readonly Resource[];
  /** The resource of a type that is called so in lib/infrastructure/. */
  readonly resource: (type: string, name: string) => Resource | undefined;
  /** Makes a client for the environment's region. */
  readonly client: <Client extends AwsClient>(
    Client: new (options: Bounds & { readonly region: string }) => Client,
  ) => Client;
  /** A command of the AWS CLI, for people. */
  readonly aws: (command: string) => string;
  /** A command of the staff command, for people. */
  readonly crcs: (command: string) => string;
  /** The time of AWS. */
  readonly now: () => Date;
  readonly close: () => Promise<void>;
}

/** What it takes on AWS to find that out. */
export const openingActions = ['cloudformation:DescribeStacks', 'cloudformation:ListStackResources'] as const;

/** The name of a construct and what the CDK puts behind it: https://docs.aws.amazon.com/cdk/v2/guide/identifiers.html */
const isCalled = (logicalId: string, name: string) => /^[0-9A-F]{8}$/.test(logicalId.split(name).at(-1) ?? '');

/**
 * Finds what a deployed environment is made of.
 * @throws {StaffError} when it is not deployed, or the credentials are another account's; what the SDK throws without credentials, region, permission or network
 */
export const openDeployment = async (place: StackPlace): Promise<Deployment> => {
  const { name, region, outputs, now } = await describeStack(place);
  const tables = tableNamesIn(outputs);
  const settings = deployedSettingsIn(outputs);
  if (!tables || !settings) throw notDeployed(place);

  const clients: AwsClient[] = [];
  const client: Deployment['client'] = (Client) => {
    const made = makeClient(Client, { region });
    clients.push(made);
    return made;
  };

  const resources: Resource[] = [];
  const pages = paginateListStackResources({ client: client(CloudFormationClient) }, { StackName: name });
  for await (const { StackResourceSummaries: page = [] } of pages) {
    for (const { ResourceType: type = '', LogicalResourceId: logicalId = '', PhysicalResourceId: physicalId } of page) {
      if (physicalId !== undefined) resources.push({ type, logicalId, physicalId });
    }
  }
  const ofType = (type: string) => resources.filter((resource) => resource.type === type);
  return {
    stack: name,
    region,
    outputs,
    settings,
    tables,
    notifications: targetsIn(outputs),
    resources: ofType,
    resource: (type, called) => ofType(type).find(({ logicalId }) => isCalled(logicalId, called)),
    client,
    aws: (command) => `aws ${command} --region ${region}`,
    crcs: (command) => `npx crcs ${command} ${chosenBy(place)}`,
    now,
    close: async () => {
      for (const each of clients) each.destroy();
    },
  };
};
