import { Aws, CfnOutput } from 'aws-cdk-lib';
import type { Stage } from 'aws-cdk-lib/aws-apigateway';
import { Construct } from 'constructs';
import { Api } from './api/api.ts';
import { CustomDomain } from './api/custom-domain.ts';
import { WebAcl } from './api/web-acl.ts';
import { toDeployedSettings } from './deployed-settings.ts';
import { defineFunctions } from './functions.ts';
import { Alarms } from './monitoring/alarms.ts';
import { Budget } from './monitoring/budget.ts';
import { Dashboard } from './monitoring/dashboard.ts';
import { Notifications } from './notifications/notifications.ts';
import type { Environment } from './settings.ts';
import { Tables } from './tables.ts';

export interface ContactServiceProps {
  readonly environment: Environment;
  /** The folder with the bundles of all functions, as `bundleFunctions` leaves it. */
  readonly bundles: string;
}

/** The service in one environment. Its outputs have fixed names, by which the staff command finds it: one a stack. */
export class ContactService extends Construct {
  constructor(scope: Construct, id: string, { environment, bundles }: ContactServiceProps) {
    super(scope, id);
    const tables = new Tables(this, 'Tables', { environment });
    const functions = defineFunctions(this, { environment, tables, bundles });
    const { restApi } = new Api(this, 'Api', { environment, functions });
    const stage = restApi.deploymentStage;

    const webAcl = environment.webAcl ? new WebAcl(this, 'WebAcl', { stage }) : undefined;

    const { contacts } = tables;
    const notifications =
      environment.notifications && contacts.tableStreamArn
        ? new Notifications(this, 'Notifications', {
            environment,
            settings: environment.notifications,
            contacts,
            streamArn: contacts.tableStreamArn,
            bundles,
          })
        : undefined;

    const observed = { stage, functions, tables, notifications, webAcl };
    const alarms = new Alarms(this, 'Alarms', { environment, ...observed });
    const dashboard = new Dashboard(this, 'Overview', {
      environmentName: environment.name,
      alarms: alarms.all,
      ...observed,
    });

    const { monthlyBudget, alarmEmails } = environment;
    if (monthlyBudget) new Budget(this, 'MonthlyBudget', { monthlyBudget, emails: alarmEmails });

    const domain =
      environment.customDomain &&
      new CustomDomain(this, 'Domain', { restApi, domain: environment.customDomain, environment });

    const outputs = {
      BaseUrl: domain ? `https://${domain.domainName.domainName}` : baseUrlOf(stage),
      ...(domain && { DomainTarget: domain.domainName.domainNameAliasDomainName }),
      ContactsTable: tables.contacts.tableName,
      CampaignsTable: tables.campaigns.tableName,
      TokensTable: tables.tokens.tableName,
      Dashboard: dashboard.url,
      Settings: toDeployedSettings(environment),
      ...(notifications && { DeadLetters: notifications.deadLetters.queueUrl }),
      ...Object.fromEntries(notifications?.targets.map((target) => [`Notify${target.name}`, target.output]) ?? []),
    };
    for (const [outputId, value] of Object.entries(outputs)) {
      new CfnOutput(this, outputId, { value }).overrideLogicalId(outputId);
    }
  }
}

/** Without a slash at the end, which the gateway's own URL has. */
const baseUrlOf = ({ restApi, stageName, env }: Stage) =>
  `https://${restApi.restApiId}.execute-api.${env.region}.${Aws.URL_SUFFIX}/${stageName}`;
