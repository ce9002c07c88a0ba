import { Aws, CfnOutput, Stack } from 'aws-cdk-lib';
import type { Stage } from 'aws-cdk-lib/aws-apigateway';
import { Construct } from 'constructs';
import { Api } from './api/api.ts';
import { addCustomDomains } from './api/custom-domain.ts';
import { WebAcl } from './api/web-acl.ts';
import { toDeployedSettings } from './deployed-settings.ts';
import { setFeatureFlags } from './feature-flags.ts';
import { defineFunctions } from './functions.ts';
import { Alarms } from './monitoring/alarms.ts';
import { Notifications } from './notifications/notifications.ts';
import type { Environment } from './settings.ts';
import { fullNameOf } from './stack-name.ts';
import { toTableOutputs } from './table-outputs.ts';
import { Tables } from './tables.ts';

export interface ContactServiceProps {
  readonly environment: Environment;
  /** The folder with the bundles of all functions, as `bundleFunctions` leaves it. */
  readonly bundles: string;
  /**
   * Whether the tables resist deletion. A first deployment that fails deletes what it made, which they would resist.
   * @defaultValue as `retainData` says
   */
  readonly deletionProtection?: boolean;
}

/** The service in one environment. */
export class ContactService extends Construct {
  /** Where its API answers: the output `BaseUrl`. */
  readonly baseUrl: string;
  readonly #fullName: string;

  constructor(scope: Construct, id: string, { environment, bundles, ...props }: ContactServiceProps) {
    super(scope, id);
    this.#fullName = fullNameOf(environment);
    this.#refuseToShare();
    setFeatureFlags(this.node);
    const { deletionProtection = environment.retainData } = props;
    const tables = new Tables(this, 'Tables', { environment, deletionProtection });
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

    new Alarms(this, 'Alarms', {
      environment,
      environmentName: this.#fullName,
      stage,
      tables,
      notifications,
      webAcl,
    });

    const domains = addCustomDomains(this, restApi, environment);
    const domain = domains.at(-1);

    this.baseUrl = domain ? `https://${domain.domainName.domainName}` : baseUrlOf(stage);
    const outputs = {
      BaseUrl: this.baseUrl,
      ...(domain && environment.defaultEndpoint && { DefaultUrl: baseUrlOf(stage) }),
      ...Object.fromEntries(
        domains.map(({ targetOutput, domainName }) => [targetOutput, domainName.domainNameAliasDomainName]),
      ),
      ...toTableOutputs({
        contacts: tables.contacts.tableName,
        campaigns: tables.campaigns.tableName,
        tokens: tables.tokens.tableName,
      }),
      Settings: toDeployedSettings(environment),
      ...notifications?.outputs(),
    };
    for (const [outputId, value] of Object.entries(outputs)) {
      new CfnOutput(this, outputId, { value }).overrideLogicalId(outputId);
    }
  }

  /**
   * The staff command finds a service by its stack's outputs, and its metrics are those of a name: what two shared, one of
   * them would have, in silence.
   * @throws {Error} one line
   */
  #refuseToShare(): void {
    const stack = Stack.of(this);
    for (const other of this.node.root.node.findAll()) {
      if (!(other instanceof ContactService) || other === this) continue;
      const its = Stack.of(other);
      if (its === stack) {
        throw new Error(
          `The stack "${stack.node.path}" has a ContactService already, "${other.node.path}", whose outputs the staff command reads: give each a stack of its own.`,
        );
      }
      const isBeside = its.account === stack.account && its.region === stack.region;
      if (isBeside && other.#fullName === this.#fullName) {
        throw new Error(
          `"${other.node.path}" and "${this.node.path}" are both named "${this.#fullName}", which their metrics are told apart by: give each a name of its own or, in its stack's env, another account or region.`,
        );
      }
    }
  }
}

/** Without a slash at the end, which the gateway's own URL has. */
const baseUrlOf = ({ restApi, stageName, env }: Stage) =>
  `https://${restApi.restApiId}.execute-api.${env.region}.${Aws.URL_SUFFIX}/${stageName}`;
