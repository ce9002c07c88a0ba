import { CfnMapping, Duration, Stack } from 'aws-cdk-lib';
import type { Stage } from 'aws-cdk-lib/aws-apigateway';
import {
  type Alarm,
  AlarmStatusWidget,
  Dashboard as CloudWatchDashboard,
  GraphWidget,
  type IMetric,
  LogQueryVisualizationType,
  LogQueryWidget,
  Stats,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { WebAcl } from '../api/web-acl.ts';
import { endpoints } from '../endpoints.ts';
import type { Functions } from '../functions.ts';
import type { Notifications } from '../notifications/notifications.ts';
import type { Tables } from '../tables.ts';
import { blockedMetric, contactsStored, counted, operationMetric, period } from './metrics.ts';

/** What the functions do with the contacts table. */
const contactsActions = [
  ...new Set(endpoints.filter(({ table }) => table === 'contacts').flatMap(({ actions }) => actions)),
];

const labelled = ({ handlers, authorizer }: Functions, notifications: Notifications | undefined) => [
  ...[...handlers].map(([{ handler }, lambda]) => [handler, lambda] as const),
  ['authorizer', authorizer] as const,
  ...(notifications ? [['fan-out', notifications.fanOut] as const, ['notify', notifications.notify] as const] : []),
];

/** Where the AWS console is in each partition: no pseudo parameter says so. */
const consoleDomains = {
  aws: { domain: 'console.aws.amazon.com' },
  'aws-cn': { domain: 'console.amazonaws.cn' },
  'aws-eusc': { domain: 'console.amazonaws-eusc.eu' },
  'aws-us-gov': { domain: 'console.amazonaws-us-gov.com' },
};

const width = 24;

const heading = (question: string) => new TextWidget({ markdown: `## ${question}`, width, height: 1 });

const graph = (title: string, left: IMetric[]) =>
  new GraphWidget({ title, left, leftYAxis: { min: 0, showUnits: false }, width: width / 3 });

/** Counts lines of logs when somebody looks: a metric of each would cost thirty cents a month, looked at or not. */
const countLines = (title: string, functions: readonly LambdaFunction[], filter: string, by: string) =>
  new LogQueryWidget({
    title,
    logGroupNames: functions.map(({ logGroup }) => logGroup.logGroupName),
    queryLines: [`filter ${filter}`, `stats count(*) as lines by ${by}`, 'sort lines desc'],
    view: LogQueryVisualizationType.TABLE,
    width: width / 3,
  });

export interface DashboardProps {
  readonly environmentName: string;
  readonly stage: Stage;
  readonly functions: Functions;
  readonly tables: Tables;
  readonly notifications: Notifications | undefined;
  readonly webAcl: WebAcl | undefined;
  readonly alarms: readonly Alarm[];
}

/** One page that answers three questions: is it working, how fast, how much. */
export class Dashboard extends CloudWatchDashboard {
  /** Its page in the AWS console. */
  readonly url: string;

  constructor(scope: Construct, id: string, props: DashboardProps) {
    const { stackName, region, partition } = Stack.of(scope);
    super(scope, id, { dashboardName: stackName, defaultInterval: Duration.days(1) });
    const domain = new CfnMapping(this, 'ConsoleDomains', { mapping: consoleDomains, lazy: true });
    this.url = `https://${domain.findInMap(partition, 'domain')}/cloudwatch/home?region=${region}#dashboards/dashboard/${stackName}`;
    const { environmentName, stage, functions, tables, notifications, webAcl, alarms } = props;

    const count = (metric: Parameters<typeof counted>[1], label: string, part?: Parameters<typeof counted>[2]) =>
      counted(environmentName, metric, part).with({ label });
    const eachFunction = (metric: 'Duration' | 'Errors' | 'Invocations', statistic: string) =>
      labelled(functions, notifications).map(([label, lambda]) => lambda.metric(metric, { statistic, label, period }));

    const publicHandlers = [...functions.handlers].flatMap(([{ permission }, handler]) =>
      permission ? [] : [handler],
    );

    this.addWidgets(heading('Is it working?'));
    this.addWidgets(new AlarmStatusWidget({ title: 'Alarms', alarms: [...alarms], width, height: 4 }));
    this.addWidgets(
      graph('Failed requests', [
        stage.metricServerError({ statistic: Stats.SUM, label: '5xx', period }),
        stage.metricClientError({ statistic: Stats.SUM, label: '4xx', period }),
        count('RequestsThrottled', 'of these throttled'),
      ]),
      graph('Faults', [
        ...[...publicHandlers, functions.authorizer].map((each) =>
          each.metricThrottles({ label: `not run: ${each.node.id}`, period }),
        ),
        operationMetric(tables.contacts, 'PutItem', 'ThrottledRequests', Stats.SUM).with({ label: 'writes throttled' }),
        count('UnreadableItems', 'items left out of lists'),
      ]),
      graph('Errors of each function (authorizer: with refused tokens)', eachFunction('Errors', Stats.SUM)),
    );

    this.addWidgets(heading('How fast?'));
    this.addWidgets(
      graph(
        'API, ms',
        [50, 90, 99].map((p) => stage.metricLatency({ statistic: Stats.percentile(p), label: `p${p}`, period })),
      ),
      graph('Functions, ms, p99', eachFunction('Duration', Stats.percentile(99))),
      graph(
        'Contacts table, ms, average',
        contactsActions.map((operation) =>
          operationMetric(tables.contacts, operation, 'SuccessfulRequestLatency', Stats.AVERAGE).with({
            label: operation,
          }),
        ),
      ),
    );

    this.addWidgets(heading('How much?'));
    this.addWidgets(
      graph('Contact requests', [contactsStored(tables.contacts).with({ label: 'stored' })]),
      graph('Requests', [stage.metricCount({ label: 'all', period }), ...eachFunction('Invocations', Stats.SUM)]),
    );
    this.addWidgets(
      countLines(
        'Contact requests: marked as spam, sent again',
        publicHandlers,
        'message in ["marked as spam", "sent again"]',
        'message',
      ),
      countLines(
        'Contact requests refused (403: a foreign origin, which the log names)',
        publicHandlers,
        'message = "request" and status >= 400',
        'status',
      ),
      graph('Requests refused', [
        count('RequestsRefused', '401 or 403: token or origin'),
        count('RequestsThrottled', '429: throttled'),
      ]),
      ...(webAcl
        ? [
            graph('Requests blocked by the web ACL, by rule', [
              ...webAcl.rules.map((rule) => blockedMetric(webAcl, rule).with({ label: rule })),
            ]),
          ]
        : []),
    );
    if (notifications) {
      const { targets, deadLetters, notify } = notifications;
      this.addWidgets(
        countLines('Notifications delivered, by target', [notify], 'message = "notification delivered"', 'target'),
        graph(
          'Tries that failed, by target',
          targets.map(({ name, words }) => count('NotificationsFailed', words, { Target: name })),
        ),
        graph('Given up: dead letters', [
          deadLetters.metricApproximateNumberOfMessagesVisible({ statistic: Stats.MAXIMUM, label: 'there', period }),
        ]),
      );
    }
  }
}
