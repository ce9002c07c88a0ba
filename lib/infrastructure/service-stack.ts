import { Aws, CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Stage } from 'aws-cdk-lib/aws-apigateway';
import type { Construct } from 'constructs';
import { Api } from './api/api.ts';
import { CustomDomain } from './api/custom-domain.ts';
import { WebAcl } from './api/web-acl.ts';
import { defineFunctions } from './functions.ts';
import { Alarms } from './monitoring/alarms.ts';
import { Budget } from './monitoring/budget.ts';
import { Dashboard } from './monitoring/dashboard.ts';
import { Notifications } from './notifications/notifications.ts';
import type { Environment } from './settings.ts';
import { Tables } from './tables.ts';

export interface ServiceStackProps extends StackProps {
  readonly environment: Environment;
  /** The folder with the bundles of all functions, as `bundleFunctions` leaves it. */
  readonly bundles: string;
}

/** The service in one environment. */
export class ServiceStack extends Stack {
  constructor(scope: Construct, id: string, { environment, bundles, ...props }: ServiceStackProps) {
    const { name, account, region } = environment;
    super(scope, id, {
      description: `Contact Request and Campaign Service, ${name}`,
      env: { ...(account && { account }), ...(region && { region }) },
      // Of the stack; the tables have a protection of their own.
      terminationProtection: environment.retainData,
      tags: { Service: 'contact-service', Environment: name },
      ...props,
    });

    const tables = new Tables(this, 'Tables', { environment });
    const functions = defineFunctions(this, { environment, tables, bundles });
    const { restApi } = new Api(this, 'Api', { environment, functions });
    const stage = restApi.deploymentStage;

    if (environment.webAcl) new WebAcl(this, 'WebAcl', { stage });

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

    const observed = { stage, functions, tables, notifications };
    const alarms = new Alarms(this, 'Alarms', { environment, ...observed });
    const dashboard = new Dashboard(this, 'Overview', { environmentName: name, alarms: alarms.all, ...observed });

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
      ...(notifications && { DeadLetters: notifications.deadLetters.queueUrl }),
      ...Object.fromEntries(notifications?.targets.map((target) => [`Notify${target.name}`, target.output]) ?? []),
    };
    for (const [outputId, value] of Object.entries(outputs)) new CfnOutput(this, outputId, { value });
  }
}

/** Without a slash at the end, which the gateway's own URL has. */
const baseUrlOf = ({ restApi, stageName, env }: Stage) =>
  `https://${restApi.restApiId}.execute-api.${env.region}.${Aws.URL_SUFFIX}/${stageName}`;
