import { Duration, Stack, Validations } from 'aws-cdk-lib';
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
import type { Construct } from 'constructs';
import { toVariables } from '../../functions/shared/variables.ts';
import { bundleDir } from './handlers.ts';
import { logPolicy } from './log-policy.ts';
import { memorySize } from './memory-size.ts';
import type { TableAction } from './tables.ts';
import { refuseTooManyVariables } from './variables-limit.ts';

export interface ServiceFunctionProps {
  /** Its file below functions/. */
  readonly handler: string;
  /** The folder with the bundles of all functions, as `bundleFunctions` leaves it. */
  readonly bundles: string;
  readonly description: string;
  /** Its environment variables; objects become JSON. */
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
  readonly logRetention: RetentionDays;
  /** Whether its log outlives the stack. @defaultValue it does not */
  readonly isLogKept?: boolean;
  /** In MB. @defaultValue that of functions whose answer somebody waits for */
  readonly memorySize?: number;
  /** @defaultValue 10 seconds */
  readonly timeout?: Duration;
  /** Whether X-Ray traces it. @defaultValue false */
  readonly isTraced?: boolean;
  /** Whether Lambda logs a line with the duration, the start time and the memory of each call. @defaultValue false */
  readonly reportLines?: boolean;
}

/** What a function may do with a table, and how it learns the table's name. */
export interface TableAccess {
  /** The environment variable that holds the table's name. */
  readonly variable: string;
  readonly actions: readonly TableAction[];
  /** The actions are for this index instead of the table itself. */
  readonly index?: string | undefined;
}

/**
 * A Lambda function as this service has them: Node 24 on arm64, its own log group of JSON lines, a role that
 * can do nothing else.
 */
export class ServiceFunction extends LambdaFunction {
  readonly #handler: string;
  readonly #variables: Record<string, string>;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    const logGroup = new LogGroup(scope, `${id}Logs`, {
      retention: props.logRetention,
      removalPolicy: logPolicy(props.isLogKept ?? false),
    });
    const role = new Role(scope, `${id}Role`, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    const variables = toVariables(props.variables ?? {});
    const { isTraced = false, reportLines = false } = props;
    super(scope, id, {
      description: props.description,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      code: Code.fromAsset(bundleDir(props.bundles, props.handler)),
      handler: 'index.handler',
      memorySize: props.memorySize ?? memorySize,
      timeout: props.timeout ?? Duration.seconds(10),
      environment: variables,
      role,
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      // INFO has a START and a REPORT line for each call, which is more than the functions log themselves.
      // https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-log-level.html
      systemLogLevelV2: reportLines ? SystemLogLevel.INFO : SystemLogLevel.WARN,
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
        'X-Ray knows no resources: xray:PutTraceSegments and xray:PutTelemetryRecords can be granted on "*" only (Service Authorization Reference, AWS X-Ray). The infrastructure tests pin every statement of the role.',
    });
  }

  /**
   * Names the table to the function and grants the single actions that it needs.
   * @throws {SettingsError} when that is more than a function can be told
   */
  access(table: TableV2, { variable, actions, index }: TableAccess): void {
    this.addEnvironment(variable, table.tableName);
    this.#variables[variable] = table.tableName;
    refuseTooManyVariables(Stack.of(this).stackName, this.#handler, this.#variables);
    this.addToRolePolicy(
      new PolicyStatement({
        actions: actions.map((action) => `dynamodb:${action}`),
        resources: [index ? `${table.tableArn}/index/${index}` : table.tableArn],
      }),
    );
  }
}
