import { CfnMapping, Duration, Stack } from 'aws-cdk-lib';
import type { Stage } from 'aws-cdk-lib/aws-apigateway';
import {
  type Alarm,
  AlarmStatusWidget,
  Dashboard as CloudWatchDashboard,
  GraphWidget,
  type IMetric,
  Stats,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { WebAcl } from '../api/web-acl.ts';
import { endpoints } from '../endpoints.ts';
import type { Functions } from '../functions.ts';
import type { Notifications } from '../notifications/notifications.ts';
import type { Tables } from '../tables.ts';
import { blockedMetric, counted, operationMetric, period } from './metrics.ts';

/** The statuses with which the function refuses a contact request (functions/metrics.ts). */
const refusals = ['400', '403', '413', '415', '422'];

/** What the functions do with the contacts table. */
const contactsActions = [
  ...new Set(endpoints.filter(({ table }) => table === 'contacts').flatMap(({ actions }) => actions)),
];

const labelled = ({ handlers, authorizer }: Functions, notifications: Notifications | undefined) => [
  ...[...handlers].map(([{ handler }, lambda]) => [handler, lambda] as const),
  ['authorizer', authorizer] as const,
  ...(notifications?.targets.map((target) => [target.words, target.function] as const) ?? []),
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

    this.addWidgets(heading('Is it working?'));
    this.addWidgets(new AlarmStatusWidget({ title: 'Alarms', alarms: [...alarms], width, height: 4 }));
    this.addWidgets(
      graph('Failed requests', [
        stage.metricServerError({ statistic: Stats.SUM, label: '5xx', period }),
        stage.metricClientError({ statistic: Stats.SUM, label: '4xx', period }),
        count('RequestsThrottled', 'of these throttled'),
      ]),
      graph('Faults', [
        count('StoreFaults', 'contact requests not stored'),
        count('AuthorizerFaults', 'tokens not checked'),
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
      graph('Contact requests', [
        count('ContactsCreated', 'stored'),
        count('ContactsMarkedSpam', 'of these spam'),
        count('ContactsReplayed', 'sent again'),
      ]),
      graph(
        'Contact requests refused, by status (403: a foreign origin, which the log names)',
        refusals.map((status) => count('ContactsRefused', status, { Reason: status })),
      ),
      graph('Requests', [stage.metricCount({ label: 'all', period }), ...eachFunction('Invocations', Stats.SUM)]),
    );
    this.addWidgets(
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
      const { targets, deadLetters } = notifications;
      const eachTarget = (metric: 'NotificationsFailed' | 'NotificationsTold') =>
        targets.map(({ name, words }) => count(metric, words, { Target: name }));
      this.addWidgets(
        graph('Contact requests told, by target', eachTarget('NotificationsTold')),
        graph('Tries that failed, by target', eachTarget('NotificationsFailed')),
        graph('Given up: dead letters', [
          deadLetters.metricApproximateNumberOfMessagesVisible({ statistic: Stats.MAXIMUM, label: 'there', period }),
        ]),
      );
    }
  }
}
