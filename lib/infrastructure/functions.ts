import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { MetricsVariables } from '../../functions/shared/metrics.ts';
import type { AuthorizerVariables } from '../../functions/tokens/authorizer.ts';
import { type Endpoint, endpoints } from './endpoints.ts';
import { ServiceFunction } from './service-function.ts';
import type { Environment } from './settings.ts';
import { fullNameOf } from './stack-name.ts';
import { type Tables, tableDefinitions } from './tables.ts';

/** The service's functions. */
export interface Functions {
  /** By the endpoint that each answers. */
  readonly handlers: ReadonlyMap<Endpoint, ServiceFunction>;
  readonly authorizer: ServiceFunction;
}

export interface FunctionsProps {
  readonly environment: Environment;
  readonly tables: Tables;
  /** The folder with the bundles of all functions, as `bundleFunctions` leaves it. */
  readonly bundles: string;
}

/**
 * A resource of an execute-api policy, from the method on. `*` stands for a path parameter; it takes slashes, too, so a
 * path below needs the same permission: a test looks for rows that disagree.
 */
const resourceOf = ({ method, path }: Endpoint) => `${method}${path.replaceAll(/\{\w+\}/g, '*')}`;

const grants: AuthorizerVariables['GRANTS'] = endpoints.flatMap((endpoint) =>
  endpoint.permission ? [{ permission: endpoint.permission, resource: resourceOf(endpoint) }] : [],
);

/** Defines a function for each endpoint, and the authorizer, each with the one table that it may use. */
export const defineFunctions = (scope: Construct, { environment, tables, bundles }: FunctionsProps): Functions => {
  const common = {
    bundles,
    logRetention: environment.logRetentionDays,
    isTraced: environment.tracing,
    reportLines: environment.reportLines,
  };

  const handlers = endpoints.map((endpoint) => {
    const { id, handler, description, table, actions, index } = endpoint;
    const variables = endpoint.variables?.(environment);
    // It says who read what, which may be asked when the stack is gone.
    const isLogKept = environment.retainData && table === 'contacts' && endpoint.permission !== undefined;
    const defined = new ServiceFunction(scope, id, { ...common, handler, description, variables, isLogKept });
    defined.access(tables[table], { variable: tableDefinitions[table].variable, actions, index });
    return [endpoint, defined] as const;
  });

  const authorizer = new ServiceFunction(scope, 'Authorizer', {
    ...common,
    handler: 'authorizer',
    description: 'Turns a token into the endpoints that it may use',
    timeout: Duration.seconds(5),
    variables: { ENVIRONMENT: fullNameOf(environment), GRANTS: grants } satisfies AuthorizerVariables &
      MetricsVariables,
  });
  authorizer.access(tables.tokens, { variable: tableDefinitions.tokens.variable, actions: ['GetItem'] });

  return { handlers: new Map(handlers), authorizer };
};
