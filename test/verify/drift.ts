import assert from 'node:assert/strict';
import {
  DescribeStackDriftDetectionStatusCommand,
  DescribeStackResourceDriftsCommand,
  DetectStackDriftCommand,
  type StackResourceDrift,
} from '@aws-sdk/client-cloudformation';
import type { Deployed } from '../rehearsal/deployed.ts';
import { type Cast, comes } from '../rehearsal/steps.ts';
import type { Clients } from './clients.ts';

const describe = ({ LogicalResourceId, StackResourceDriftStatus, PropertyDifferences = [] }: StackResourceDrift) =>
  [
    `${LogicalResourceId} ${StackResourceDriftStatus}`,
    ...PropertyDifferences.map(
      ({ PropertyPath, ExpectedValue, ActualValue }) => `  ${PropertyPath}: ${ExpectedValue} → ${ActualValue}`,
    ),
  ].join('\n');

/** Nothing of the stack differs from its template. */
export const checkDrift = async (cast: Cast, { cloudFormation }: Clients, { stack }: Deployed): Promise<void> => {
  const { StackDriftDetectionId } = await cloudFormation.send(new DetectStackDriftCommand({ StackName: stack }));
  const status = await comes(cast, 'the end of the detection', async () => {
    const found = await cloudFormation.send(new DescribeStackDriftDetectionStatusCommand({ StackDriftDetectionId }));
    return found.DetectionStatus === 'DETECTION_IN_PROGRESS' ? undefined : found;
  });
  // A detection can fail for single resources, and still find others.
  if (status.DetectionStatus === 'DETECTION_FAILED') cast.steps.say(`Incomplete: ${status.DetectionStatusReason}`);
  const drifts: StackResourceDrift[] = [];
  let NextToken: string | undefined;
  do {
    const page = await cloudFormation.send(
      new DescribeStackResourceDriftsCommand({
        StackName: stack,
        StackResourceDriftStatusFilters: ['MODIFIED', 'DELETED', 'IN_SYNC'],
        NextToken,
      }),
    );
    drifts.push(...(page.StackResourceDrifts ?? []));
    NextToken = page.NextToken;
  } while (NextToken !== undefined);
  const drifted = drifts.filter(({ StackResourceDriftStatus }) => StackResourceDriftStatus !== 'IN_SYNC');
  assert.ok(drifted.length === 0, drifted.map(describe).join('\n'));
  assert.ok(drifts.length > 0, 'No resource was compared');
  cast.steps.say(`${drifts.length} resources are as in the template`);
};
