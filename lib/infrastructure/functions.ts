import { join } from 'node:path';
import { Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  Code,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { tableDefinitions } from '../shared/environment-tables.ts';
import { SettingsError } from '../shared/settings-error.ts';
import { tokenPattern } from './cdk-token.ts';
import { authorizerVariables, endpointVariables } from './endpoint-variables.ts';
import { type Endpoint, endpointsOf, memorySize, type ObjectAction } from './endpoints.ts';
import type { Environment } from './settings.ts';
import type { ActionAttributes, TableAction, Tables } from './tables.ts';

/** The removal policy of a log group. A failed first deployment leaves none behind. */
export const logRemovalPolicy = (isKept: boolean): RemovalPolicy =>
  isKept ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;

/** For all variables of a function together: https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
const maxVariableBytes = 4096;

/** A deployment replaces the CDK's tokens by names, which are shorter than this. */
const resolvedToken = 'x'.repeat(160);

/** Lambda measures variables as JSON. */
const bytesOf = (variables: Readonly<Record<string, string>>): number =>
  Buffer.byteLength(JSON.stringify(variables).replace(tokenPattern, resolvedToken));

/**
 * Refuses too many variables here, since Lambda would refuse them in the middle of a deployment.
 * @throws {SettingsError} one line, which names the two largest
 */
const refuseTooManyVariables = (stack: string, handler: string, variables: Readonly<Record<string, string>>): void => {
  const bytes = bytesOf(variables);
  if (bytes <= maxVariableBytes) return;
  const largest = Object.entries(variables)
    .map(([name, value]) => ({ name, bytes: bytesOf({ [name]: value }) }))
    .toSorted((one, other) => other.bytes - one.bytes)
    .slice(0, 2)
    .map((each) => `${each.name} has ${each.bytes.toLocaleString('en')}`);
  throw new SettingsError(
    `${stack}: the variables of the function ${handler} have ${bytes.toLocaleString('en')} bytes, but Lambda accepts at most ${maxVariableBytes.toLocaleString('en')} (${largest.join(', ')}): shorten these settings, or move some to another environment`,
  );
};

interface ServiceFunctionProps {
  /** The file in functions/, without its extension. */
  readonly handler: string;
  readonly bundles: string;
  readonly description: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly logRetention: RetentionDays;
  /** The log outlives the stack. @defaultValue false */
  readonly isLogKept?: boolean;
  /** In MB. @defaultValue `memorySize` of endpoints.ts */
  readonly memorySize?: number;
  /** @defaultValue 10 seconds */
  readonly timeout?: Duration;
  /** @defaultValue false */
  readonly isTraced?: boolean;
}

/** A function's permissions on a table, and the variable that names the table. */
interface TableAccess {
  /** The environment variable with the table's name. */
  readonly variable: string;
  readonly actions: readonly TableAction[];
  /** The actions are granted for this index instead of the table. */
  readonly index?: string | undefined;
  /** An action can read or write only these attributes of an item. @defaultValue all */
  readonly attributes?: ActionAttributes | undefined;
  /** Patterns of the ids of the items that the actions concern. @defaultValue all */
  readonly ids?: readonly string[];
}

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/specifying-conditions.html */
const onlyIds = (ids: readonly string[]) => ({ 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ids } });

/**
 * A read that names no attributes gets all: `Select` tells. A write can return what was there. An update needs every attribute that
 * its expressions name, and those of the keys. A deletion names none but those of its condition.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/specifying-conditions.html
 */
const onlyAttributes = (action: TableAction, attributes: readonly string[]) => {
  const named = { 'ForAllValues:StringEquals': { 'dynamodb:Attributes': attributes } };
  const returnsNothing = { StringEqualsIfExists: { 'dynamodb:ReturnValues': 'NONE' } };
  if (action === 'DeleteItem' || action === 'PutItem') return returnsNothing;
  if (action === 'UpdateItem') return { ...named, ...returnsNothing };
  return { ...named, StringEqualsIfExists: { 'dynamodb:Select': 'SPECIFIC_ATTRIBUTES' } };
};

/** A Lambda function of this service: Node 24 on arm64, a log group of JSON lines, and a role that can only write to it. */
export class ServiceFunction extends LambdaFunction {
  readonly #handler: string;
  readonly #variables: Record<string, string>;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    const logGroup = new LogGroup(scope, `${id}Logs`, {
      retention: props.logRetention,
      removalPolicy: logRemovalPolicy(props.isLogKept ?? false),
    });
    const role = new Role(scope, `${id}Role`, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    const variables = { ...props.variables };
    const { isTraced = false } = props;
    super(scope, id, {
      description: props.description,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      code: Code.fromAsset(join(props.bundles, props.handler)),
      handler: 'index.handler',
      memorySize: props.memorySize ?? memorySize,
      timeout: props.timeout ?? Duration.seconds(10),
      environment: variables,
      role,
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      // INFO adds a START and a REPORT line to each call: more than the functions log themselves.
      // https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-log-level.html
      systemLogLevelV2: SystemLogLevel.WARN,
      tracing: isTraced ? Tracing.ACTIVE : Tracing.DISABLED,
    });
    this.#handler = props.handler;
    this.#variables = variables;
    refuseTooManyVariables(Stack.of(this).stackName, props.handler, variables);
    logGroup.grantWrite(role);
    if (!isTraced) return;
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason:
        'X-Ray has no resources: AWS grants xray:PutTraceSegments and xray:PutTelemetryRecords only on "*" (Service Authorization Reference, AWS X-Ray). A test pins every statement of the role.',
    });
  }

  /**
   * Adds a variable to those that it was made with.
   * @throws {SettingsError} if the variables become too long
   */
  addVariable(name: string, value: string): void {
    this.addEnvironment(name, value);
    this.#variables[name] = value;
    refuseTooManyVariables(Stack.of(this).stackName, this.#handler, this.#variables);
  }

  /**
   * Gives the function the name of a table, and grants single actions.
   * @throws {SettingsError} if the variables become too long
   */
  access(table: TableV2, { variable, actions, index, attributes, ids }: TableAccess): void {
    this.addVariable(variable, table.tableName);
    for (const action of actions) {
      const named = attributes?.[action];
      this.addToRolePolicy(
        new PolicyStatement({
          actions: [`dynamodb:${action}`],
          resources: [index ? `${table.tableArn}/index/${index}` : table.tableArn],
          conditions: { ...(named && onlyAttributes(action, named)), ...(ids && onlyIds(ids)) },
        }),
      );
    }
  }
}

/** Lets Lambda read the stream of a table for a function. */
export const readingOfStream = (streamArn: string): PolicyStatement =>
  new PolicyStatement({
    // Nothing is known to call ListStreams, but Lambda's error about a missing permission names it among the four:
    // https://github.com/aws-samples/lambda-refarch-webapp/issues/7
    // https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/iam-policy-example-lamda-process-dynamodb-streams.html
    actions: ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'].map((name) => `dynamodb:${name}`),
    resources: [streamArn],
  });

/** The ARN of a secret that an operator stored under a name. AWS adds six characters to the name. */
export const secretArnOf = (scope: Construct, id: string, name: string): string =>
  `${Secret.fromSecretNameV2(scope, id, name).secretArn}-??????`;

/** The bucket of files. */
export interface BucketAccess {
  /** Gives a function the name of the bucket, and grants single actions on all objects. */
  access(to: ServiceFunction, actions: readonly ObjectAction[]): void;
}

/** The functions behind the API. */
export interface Functions {
  readonly handlers: ReadonlyMap<Endpoint, ServiceFunction>;
  readonly authorizer: ServiceFunction;
}

interface FunctionsProps {
  readonly environment: Environment;
  readonly tables: Tables;
  /** Absent if the environment stores none. */
  readonly files: BucketAccess | undefined;
  readonly bundles: string;
}

/** Defines a function for each endpoint, and the authorizer, each with the one table that it may use. */
export const defineFunctions = (
  scope: Construct,
  { environment, tables, files, bundles }: FunctionsProps,
): Functions => {
  const common = { bundles, logRetention: environment.logRetentionDays, isTraced: environment.tracing };

  const handlers = endpointsOf(environment).map((endpoint) => {
    const { id, description, table, actions, index, attributes } = endpoint;
    const withSecret = endpoint.withSecret?.(environment);
    const handler = withSecret?.handler ?? endpoint.handler;
    const variables = endpointVariables(endpoint, environment);
    // These logs show who read what. Someone may need to know that after the stack is gone.
    const isLogKept = environment.retainData && table === 'contacts' && endpoint.permission !== undefined;
    const defined = new ServiceFunction(scope, id, { ...common, handler, description, variables, isLogKept });
    defined.access(tables[table], { variable: tableDefinitions[table].variable, actions, index, attributes });
    if (files && endpoint.withFiles) {
      const { objects, updates } = endpoint.withFiles;
      files.access(defined, objects);
      if (updates) {
        const { variable } = tableDefinitions[table];
        const attributesOf = { UpdateItem: updates.attributes };
        defined.access(tables[table], {
          variable,
          actions: ['UpdateItem'],
          attributes: attributesOf,
          ids: updates.ids,
        });
      }
    }
    if (withSecret) {
      const resources = [secretArnOf(scope, `${id}Secret`, withSecret.secret)];
      defined.addToRolePolicy(new PolicyStatement({ actions: ['secretsmanager:GetSecretValue'], resources }));
    }
    return [endpoint, defined] as const;
  });

  const authorizer = new ServiceFunction(scope, 'Authorizer', {
    ...common,
    handler: 'authorizer',
    description: 'Turns a token into the endpoints that it may use',
    timeout: Duration.seconds(5),
    variables: authorizerVariables(environment),
  });
  authorizer.access(tables.tokens, { variable: tableDefinitions.tokens.variable, actions: ['GetItem'] });

  return { handlers: new Map(handlers), authorizer };
};
