import assert from 'node:assert/strict';
import { paginateListStackResources } from '@aws-sdk/client-cloudformation';
import { paginateListEventSourceMappings } from '@aws-sdk/client-lambda';
import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import type { Deployed } from '../rehearsal/deployed.ts';
import { targetsIn } from '../rehearsal/notifications.ts';
import type { Cast } from '../rehearsal/steps.ts';
import { comes } from '../rehearsal/steps.ts';
import type { Clients } from './clients.ts';

interface Resource {
  /** As in templates: `AWS::Lambda::Function`. */
  readonly type: string;
  readonly logicalId: string;
  readonly physicalId: string;
}

export const resourcesOf = async ({ cloudFormation: client }: Clients, StackName: string): Promise<Resource[]> => {
  const resources: Resource[] = [];
  for await (const { StackResourceSummaries = [] } of paginateListStackResources({ client }, { StackName })) {
    for (const {
      ResourceType: type = '',
      LogicalResourceId: logicalId = '',
      PhysicalResourceId,
    } of StackResourceSummaries)
      resources.push({ type, logicalId, physicalId: PhysicalResourceId ?? '' });
  }
  return resources;
};

/** @throws {Error} if there is not exactly one */
export const resourceOf = async (clients: Clients, { stack }: Deployed, type: string, id: RegExp): Promise<string> => {
  const found = (await resourcesOf(clients, stack)).filter(
    (resource) => resource.type === type && id.test(resource.logicalId),
  );
  assert.equal(found.length, 1, `${type} ${id}: ${found.length}`);
  return found[0]?.physicalId ?? '';
};

const mappingsOf = async ({ lambda: client }: Clients, FunctionName: string) => {
  const mappings = [];
  for await (const { EventSourceMappings = [] } of paginateListEventSourceMappings({ client }, { FunctionName }))
    mappings.push(...EventSourceMappings);
  return mappings;
};

/** Every mapping is enabled and reads without a problem, and every target's queue is encrypted and leads to the dead-letter queue. */
export const checkWiring = async (cast: Cast, clients: Clients, deployed: Deployed): Promise<void> => {
  const targets = targetsIn(deployed.outputs);
  const functions = await Promise.all(
    [/FanOut[0-9A-F]{8}$/, /Notify[0-9A-F]{8}$/].map((id) =>
      resourceOf(clients, deployed, 'AWS::Lambda::Function', id),
    ),
  );
  const mappings = await comes(cast, 'mappings that are all enabled', async () => {
    const all = (await Promise.all(functions.map((name) => mappingsOf(clients, name)))).flat();
    return all.every(({ State }) => State === 'Enabled') ? all : undefined;
  });
  assert.equal(mappings.length, 1 + targets.length);
  for (const { LastProcessingResult = '' } of mappings) assert.doesNotMatch(LastProcessingResult, /PROBLEM/i);
  cast.steps.say(`${mappings.length} event source mappings are enabled, and none has a problem`);
  for (const { name, queue: QueueUrl } of targets) {
    const { Attributes = {} } = await clients.sqs.send(
      new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['RedrivePolicy', 'SqsManagedSseEnabled', 'Policy'] }),
    );
    assert.match(Attributes.RedrivePolicy ?? '', /DeadLetters/, `${name} has no dead-letter queue`);
    assert.equal(Attributes.SqsManagedSseEnabled, 'true', `${name} is not encrypted`);
    assert.match(Attributes.Policy ?? '', /aws:SecureTransport/, `${name} accepts requests without TLS`);
  }
  cast.steps.say(`${targets.length} queues are encrypted, take only TLS, and lead to the dead-letter queue`);
};
