import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { type Check, type Finding, note, wrong } from '../check.ts';
import type { Deployment } from '../deployment.ts';

/** What the state that a deployment has left means: https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/view-stack-events.html */
const ofState = (status: string, { stack, aws }: Deployment): Finding[] => {
  if (status.endsWith('_IN_PROGRESS')) {
    return [note(`The stack is being changed (${status}).`, 'Ask again when the deployment has ended.')];
  }
  if (status === 'UPDATE_ROLLBACK_COMPLETE') {
    return [note('The last deployment failed and was undone.', `npx cdk deploy ${stack} says why.`)];
  }
  if (status === 'UPDATE_ROLLBACK_FAILED') {
    return [
      wrong(
        'A deployment failed, and so did what was to undo it.',
        aws(`cloudformation continue-update-rollback --stack-name ${stack}`),
      ),
    ];
  }
  if (status.startsWith('ROLLBACK_') || !status.endsWith('_COMPLETE')) {
    return [wrong(`The stack was not made or deleted to its end (${status}).`, `npx cdk deploy ${stack}`)];
  }
  return [];
};

/** What became of the last deployment, and whether the stack can be deleted by mistake. */
export const stack: Check = {
  name: 'stack',
  actions: ['cloudformation:DescribeStacks'],
  look: async (deployment) => {
    const { stack, settings, client, aws } = deployment;
    const answer = await client(CloudFormationClient).send(new DescribeStacksCommand({ StackName: stack }));
    return (answer.Stacks ?? []).flatMap(({ StackStatus = '', EnableTerminationProtection: isProtected }) => [
      ...ofState(StackStatus, deployment),
      ...(settings.retainData && !isProtected
        ? [
            wrong(
              'The stack has no termination protection, although the environment retains its data.',
              aws(`cloudformation update-termination-protection --enable-termination-protection --stack-name ${stack}`),
            ),
          ]
        : []),
    ]);
  },
};
