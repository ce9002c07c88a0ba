import {
  CloudWatchLogsClient,
  GetQueryResultsCommand,
  type ResultField,
  StartQueryCommand,
} from '@aws-sdk/client-cloudwatch-logs';
import { publicEndpoints } from '../../infrastructure/endpoints.ts';
import type { StaffEnvironment } from '../environment/staff-environment.ts';
import type { CommandIo } from '../tool/command-io.ts';

/** Days that the query covers. */
export const refusalDays = 7;

/** Milliseconds between two requests for the results, and for all of them. */
const pause = 1_000;
const patience = 30_000;

interface Refusals {
  /** The contact requests in the access log. */
  readonly sent: number;
  readonly refused: number;
  /** Why, with the number for each reason, the most frequent first. */
  readonly reasons: readonly (readonly [reason: string, amount: number])[];
}

const routes = publicEndpoints.map(({ method, path }) => `"${method} ${path}"`).join(', ');

/**
 * Counts the function's lines about refusals by their reasons, and the lines of the access log by status. Only the access log
 * has `latency`, which tells the two apart.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/CWL_QuerySyntax.html
 */
const query = `filter message = "contact request refused" or (route in [${routes}] and ispresent(latency))
| parse @message /"errors":\\[(?<errors>[^\\]]*)\\]/
| stats count(*) as amount by errors, status`;

interface Row {
  readonly amount: number;
  /** Empty for a line of the access log. */
  readonly errors: string;
  /** Empty for a line of the function. */
  readonly status: string;
}

/** The emulator of the rehearsal knows no `stats`: its rows have no amount. */
const rowOf = (cells: readonly ResultField[]): Row => {
  const values = new Map(cells.map(({ field, value = '' }) => [field, value]));
  return {
    amount: Number(values.get('amount') ?? 0),
    errors: values.get('errors') ?? '',
    status: values.get('status') ?? '',
  };
};

const sumOf = (rows: readonly Row[]): number => rows.reduce((sum, { amount }) => sum + amount, 0);

/** The errors as the function logs them; for refusals that have none, the status. */
const reasonsOf = ({ errors, status }: Row): readonly string[] => {
  if (errors !== '') return [...errors.matchAll(/"([^"]*)"/g)].map(([, error = '']) => error);
  // Each request with one of these statuses has a line with its errors, too.
  return /^4/.test(status) && !['400', '422'].includes(status) ? [`HTTP ${status}`] : [];
};

const summaryOf = (rows: readonly Row[]): Refusals => {
  const amounts = new Map<string, number>();
  for (const each of rows) {
    for (const reason of reasonsOf(each)) amounts.set(reason, (amounts.get(reason) ?? 0) + each.amount);
  }
  const withErrors = rows.filter(({ errors }) => errors !== '');
  const logged = rows.filter(({ status }) => status !== '');
  return {
    sent: sumOf(logged),
    // The access log can be silent: its role belongs to all APIs of the account.
    refused: Math.max(sumOf(logged.filter(({ status }) => status.startsWith('4'))), sumOf(withErrors)),
    reasons: [...amounts].toSorted(([, one], [, other]) => other - one),
  };
};

/**
 * Counts refused contact requests by a query of the logs.
 * @returns undefined if CloudWatch takes too long
 */
export const readRefusals = async (
  { client, now }: Pick<StaffEnvironment, 'client' | 'now'>,
  logGroupNames: string[],
  { wait, signal }: Pick<CommandIo, 'wait' | 'signal'>,
): Promise<Refusals | undefined> => {
  const logs = client(CloudWatchLogsClient);
  const endTime = Math.floor(now().getTime() / 1000);
  const startTime = endTime - refusalDays * 24 * 60 * 60;
  const { queryId } = await logs.send(new StartQueryCommand({ logGroupNames, startTime, endTime, queryString: query }));
  for (let waited = 0; waited < patience; waited += pause) {
    await wait(pause, signal);
    const { status, results = [] } = await logs.send(new GetQueryResultsCommand({ queryId }));
    if (status === 'Complete') return summaryOf(results.map(rowOf));
    if (status === 'Failed' || status === 'Cancelled' || status === 'Timeout') {
      throw new Error(`CloudWatch ended the query of the logs with the status ${status}.`);
    }
  }
  return undefined;
};
