import {
  CloudWatchLogsClient,
  GetQueryResultsCommand,
  paginateDescribeLogGroups,
  StartQueryCommand,
} from '@aws-sdk/client-cloudwatch-logs';
import { tokenIdOf } from '../../../../functions/tokens/token.ts';
import { StaffError } from '../../command-line/staff-error.ts';
import { type Check, note } from '../check.ts';
import type { Deployment } from '../deployment.ts';
import { quoted, readTokens } from '../tokens.ts';

const day = 24 * 60 * 60 * 1000;

/** So long unused, a token is one too many. */
const unusedDays = 90;

/** Between two looks at how far the query is, in milliseconds. */
const pause = 1_000;

type Wait = Parameters<Check['look']>[1];

/** For how many days the access log reaches back. */
const reachOf = async (client: CloudWatchLogsClient, logGroup: string, now: Date): Promise<number> => {
  for await (const { logGroups = [] } of paginateDescribeLogGroups({ client }, { logGroupNamePrefix: logGroup })) {
    const found = logGroups.find(({ logGroupName }) => logGroupName === logGroup);
    if (!found) continue;
    const { creationTime = 0, retentionInDays = unusedDays } = found;
    return Math.min(unusedDays, retentionInDays, Math.floor((now.getTime() - creationTime) / day));
  }
  throw new StaffError('The access log is not there.');
};

/** The ids of the tokens that a request was sent with since then. */
const usedBetween = async (
  client: CloudWatchLogsClient,
  logGroup: string,
  [since, now]: readonly [Date, Date],
  wait: Wait,
) => {
  const seconds = (time: Date) => Math.floor(time.getTime() / 1000);
  const { queryId } = await client.send(
    new StartQueryCommand({
      logGroupName: logGroup,
      startTime: seconds(since),
      endTime: seconds(now),
      queryString: 'stats count(*) as requests by tokenId | limit 10000',
    }),
  );
  for (;;) {
    const { status, results = [] } = await client.send(new GetQueryResultsCommand({ queryId }));
    if (status === 'Complete') {
      return new Set(results.map((row) => row.find(({ field }) => field === 'tokenId')?.value));
    }
    if (status !== 'Running' && status !== 'Scheduled') throw new StaffError(`CloudWatch's query ended as ${status}.`);
    await wait(pause);
  }
};

const look = async (deployment: Deployment, wait: Wait) => {
  const { resource, client, crcs } = deployment;
  const logGroup = resource('AWS::Logs::LogGroup', 'AccessLog')?.physicalId;
  if (logGroup === undefined) throw new StaffError('The stack has no access log.');
  const logs = client(CloudWatchLogsClient);
  const now = deployment.now();
  const days = await reachOf(logs, logGroup, now);
  const since = new Date(now.getTime() - days * day);
  const { tokens } = await readTokens(deployment);
  const older = tokens.filter(({ createdAt }) => new Date(createdAt) < since);
  // It would cost, and say nothing of tokens that are younger.
  if (older.length === 0 || days === 0) return [];
  const used = await usedBetween(logs, logGroup, [since, now], wait);
  const reach = days < unusedDays ? ', as far back as the access log reaches' : '';
  return older
    .filter(({ tokenHash }) => !used.has(tokenIdOf(tokenHash)))
    .map(({ name, tokenHash }) =>
      note(
        `The token "${name}" (${tokenIdOf(tokenHash)}) was not used for ${days} days${reach}.`,
        `If nobody needs it: ${crcs(`tokens revoke ${quoted(name)}`)}`,
      ),
    );
};

/** Whether there are tokens that nobody uses. */
export const tokenUse: Check = {
  name: 'token use',
  actions: ['dynamodb:Query', 'logs:DescribeLogGroups', 'logs:StartQuery', 'logs:GetQueryResults'],
  patience: 120_000,
  look,
};
