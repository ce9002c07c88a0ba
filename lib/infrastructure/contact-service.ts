import { Aws, CfnOutput, Stack } from 'aws-cdk-lib';
import type { Stage } from 'aws-cdk-lib/aws-apigateway';
import { Construct } from 'constructs';
import { Alarms } from './alarms.ts';
import { Api, CustomDomain } from './api.ts';
import { warnOfConcurrency } from './concurrency.ts';
import { Files } from './file-storage.ts';
import { defineFunctions } from './functions.ts';
import { Notifications } from './notifications.ts';
import { settingsOutput } from './outputs.ts';
import type { Environment } from './settings.ts';
import { Tables } from './tables.ts';
import { WebAcl } from './web-acl.ts';

/**
 * The CDK's feature flags that change this construct; a test fails if there is another one. Without them, older apps would
 * not deploy changes of the authorizer.
 * https://github.com/aws/aws-cdk/blob/main/packages/aws-cdk-lib/cx-api/FEATURE_FLAGS.md
 */
const featureFlags = {
  '@aws-cdk/aws-apigateway:authorizerChangeDeploymentLogicalId': true,
  '@aws-cdk/aws-apigateway:logGroupDestinationArnWithoutWildcard': true,
};

export interface ContactServiceProps {
  readonly environment: Environment;
  readonly bundles: string;
  /**
   * The tables resist deletion. A failed first deployment cannot delete such tables.
   * @defaultValue `retainData`
   */
  readonly deletionProtection?: boolean;
}

/** The service in one environment. */
export class ContactService extends Construct {
  /** The URL of the API: the output `BaseUrl`. */
  readonly baseUrl: string;
  readonly #name: string;

  constructor(scope: Construct, id: string, { environment, bundles, ...props }: ContactServiceProps) {
    super(scope, id);
    this.#name = environment.name;
    this.#refuseSameName();
    for (const [flag, value] of Object.entries(featureFlags)) this.node.setContext(flag, value);
    const { deletionProtection = environment.retainData } = props;
    const tables = new Tables(this, 'Tables', { environment, deletionProtection });
    const { contacts } = tables;
    const { tableStreamArn: streamArn } = contacts;
    const files =
      environment.files && streamArn
        ? new Files(this, 'Files', { environment, settings: environment.files, contacts, streamArn, bundles })
        : undefined;
    const functions = defineFunctions(this, { environment, tables, files, bundles });
    const { restApi } = new Api(this, 'Api', { environment, functions });
    const stage = restApi.deploymentStage;

    const webAcl = environment.webAcl ? new WebAcl(this, 'WebAcl', stage) : undefined;

    const notifications =
      environment.notifications && streamArn
        ? new Notifications(this, 'Notifications', {
            environment,
            settings: environment.notifications,
            contacts,
            streamArn,
            bundles,
          })
        : undefined;

    const { targets = [], confirmation } = notifications ?? {};
    warnOfConcurrency(this, environment, targets.length + (confirmation ? 1 : 0));
    new Alarms(this, 'Alarms', {
      environment,
      stage,
      tables,
      notifications,
      files,
      webAcl,
    });

    const domains = environment.domains.map(
      (domain) => new CustomDomain(this, `Domain-${domain.name}`, { restApi, domain }),
    );
    const domain = domains.at(-1);

    this.baseUrl = domain ? `https://${domain.domainName.domainName}` : baseUrlOf(stage);
    const outputs = {
      BaseUrl: this.baseUrl,
      ...(domain && environment.defaultEndpoint && { DefaultUrl: baseUrlOf(stage) }),
      ...Object.fromEntries(
        domains.map(({ targetOutput, domainName }) => [targetOutput, domainName.domainNameAliasDomainName]),
      ),
      ContactsTable: tables.contacts.tableName,
      CampaignsTable: tables.campaigns.tableName,
      TokensTable: tables.tokens.tableName,
      Settings: settingsOutput(environment),
      ...files?.outputs(),
      ...notifications?.outputs(),
    };
    for (const [outputId, value] of Object.entries(outputs)) {
      new CfnOutput(this, outputId, { value }).overrideLogicalId(outputId);
    }
  }

  /**
   * Refuses two services of one name in an account and region: their metrics would mix.
   * @throws {Error} one line
   */
  #refuseSameName(): void {
    const { account, region } = Stack.of(this);
    for (const other of this.node.root.node.findAll()) {
      if (!(other instanceof ContactService) || other === this || other.#name !== this.#name) continue;
      const its = Stack.of(other);
      if (its.account !== account || its.region !== region) continue;
      throw new Error(
        `"${other.node.path}" and "${this.node.path}" are both named "${this.#name}", so their metrics would mix. Give one of them another name, or give its stack another account or region (env).`,
      );
    }
  }
}

/** The stage's URL, without the slash that the CDK appends. */
const baseUrlOf = ({ restApi, stageName, env }: Stage) =>
  `https://${restApi.restApiId}.execute-api.${env.region}.${Aws.URL_SUFFIX}/${stageName}`;
