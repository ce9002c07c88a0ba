import assert from 'node:assert/strict';
import {
  type AlarmHistoryItem,
  type Dimension,
  type MetricAlarm,
  paginateDescribeAlarmHistory,
  paginateDescribeAlarms,
  paginateListMetrics,
} from '@aws-sdk/client-cloudwatch';
import type { Deployed } from '../rehearsal/deployed.ts';
import type { Cast } from '../rehearsal/steps.ts';
import { type Patience, until } from '../support/until.ts';
import type { Clients } from './clients.ts';

const alarmsOf = async ({ cloudWatch: client }: Clients, { stack }: Deployed): Promise<MetricAlarm[]> => {
  const alarms: MetricAlarm[] = [];
  for await (const { MetricAlarms = [] } of paginateDescribeAlarms({ client }, { AlarmNamePrefix: `${stack}-` }))
    alarms.push(...MetricAlarms);
  return alarms;
};

/** A metric as an alarm names it. */
interface Watched {
  readonly Namespace: string;
  readonly MetricName: string;
  readonly Dimensions: Dimension[];
}

/** The metrics of an alarm, also of one on an expression. */
const metricsOf = ({ Metrics = [], Namespace, MetricName, Dimensions }: MetricAlarm): Watched[] =>
  [{ Namespace, MetricName, Dimensions }, ...Metrics.map(({ MetricStat }) => MetricStat?.Metric ?? {})].flatMap(
    ({ Namespace: space, MetricName: name, Dimensions: dimensions = [] }) =>
      space === undefined || name === undefined ? [] : [{ Namespace: space, MetricName: name, Dimensions: dimensions }],
  );

const textOf = (dimensions: readonly Dimension[]) =>
  dimensions
    .map(({ Name, Value }) => `${Name}=${Value}`)
    .toSorted()
    .join(', ');

/** CloudWatch has data of the metric with exactly these dimensions: an alarm on others would never fire. */
const isListed = async ({ cloudWatch: client }: Clients, { Namespace, MetricName, Dimensions }: Watched) => {
  for await (const { Metrics = [] } of paginateListMetrics({ client }, { Namespace, MetricName, Dimensions })) {
    if (Metrics.some((metric) => textOf(metric.Dimensions ?? []) === textOf(Dimensions))) return true;
  }
  return false;
};

/** The name of an alarm without that of its stack. */
const shortName = ({ AlarmName = '' }: MetricAlarm, { stack }: Deployed) => AlarmName.slice(stack.length + 1);

/**
 * Alarms whose metrics have no data before something happens that a run does not always cause. Those of Lambda, DynamoDB, the API and
 * the used queues have some.
 */
const uncaused = /^(?:fan-out-failures$|notification-retries-Email|mail-|captcha-|web-acl-|certificate-)/;

/**
 * The metric of each alarm is there, with exactly its dimensions.
 * @param caused the names of alarms that had a cause
 * @param patience CloudWatch lists a new metric after up to 15 minutes
 */
export const checkMetrics = async (
  cast: Cast,
  clients: Clients,
  deployed: Deployed,
  caused: readonly string[],
  patience: Patience,
): Promise<void> => {
  const alarms = await alarmsOf(clients, deployed);
  assert.ok(alarms.length > 0, 'There are no alarms');
  const expected = alarms.filter((alarm) => {
    const name = shortName(alarm, deployed);
    return !uncaused.test(name) || caused.includes(name);
  });
  let missing: string[] = [];
  const areAllListed = async () => {
    const lists = expected.map(async (alarm) => {
      const metrics = metricsOf(alarm);
      const listed = await Promise.all(metrics.map((metric) => isListed(clients, metric)));
      return metrics
        .filter((_, at) => !listed[at])
        .map(
          ({ Namespace, MetricName, Dimensions }) =>
            `${shortName(alarm, deployed)}: ${Namespace} ${MetricName} with ${textOf(Dimensions)}`,
        );
    });
    missing = (await Promise.all(lists)).flat();
    return missing.length === 0 || undefined;
  };
  try {
    await until('every metric', areAllListed, cast.signal, patience);
  } catch (error) {
    if (missing.length === 0) throw error;
    throw new Error(`CloudWatch does not list:\n${missing.join('\n')}`);
  }
  cast.steps.say(
    `The metrics of ${expected.length} of ${alarms.length} alarms are listed with exactly their dimensions`,
  );
  for (const alarm of alarms)
    if (!expected.includes(alarm)) cast.steps.say(`Without a cause in this run: ${shortName(alarm, deployed)}`);
};

/** AWS documents the fields, and shows their content in examples: https://docs.aws.amazon.com/cli/latest/reference/cloudwatch/describe-alarm-history.html */
const isFiring = ({ HistoryItemType, HistorySummary = '' }: AlarmHistoryItem) =>
  HistoryItemType === 'StateUpdate' && HistorySummary.endsWith('to ALARM');

const isTaken = ({ HistoryItemType, HistorySummary = '' }: AlarmHistoryItem) =>
  HistoryItemType === 'Action' && HistorySummary.startsWith('Successfully executed');

/** Each alarm with a cause was in the state ALARM, and if it has an action, CloudWatch could take it. */
export const checkStates = async (
  cast: Cast,
  clients: Clients,
  deployed: Deployed,
  caused: readonly string[],
  patience: Patience,
): Promise<void> => {
  const { cloudWatch: client } = clients;
  const alarms = (await alarmsOf(clients, deployed)).filter((alarm) => caused.includes(shortName(alarm, deployed)));
  assert.equal(alarms.length, caused.length, 'Not every cause has an alarm');
  const historyOf = async ({ AlarmName }: MetricAlarm) => {
    const items: AlarmHistoryItem[] = [];
    for await (const { AlarmHistoryItems = [] } of paginateDescribeAlarmHistory({ client }, { AlarmName }))
      items.push(...AlarmHistoryItems);
    return items;
  };
  const fired = new Set<string>();
  const haveAllFired = async () => {
    for (const alarm of alarms) {
      const history = await historyOf(alarm);
      const isComplete = history.some(isFiring) && ((alarm.AlarmActions ?? []).length === 0 || history.some(isTaken));
      if (isComplete) fired.add(shortName(alarm, deployed));
    }
    return fired.size === alarms.length || undefined;
  };
  try {
    await until('every alarm', haveAllFired, cast.signal, patience);
  } finally {
    for (const alarm of alarms) {
      const name = shortName(alarm, deployed);
      cast.steps.say(`${name}: ${fired.has(name) ? 'fired' : 'did not fire'}`);
    }
  }
};
