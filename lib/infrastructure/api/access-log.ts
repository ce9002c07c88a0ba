import { AccessLogFormat, LogGroupLogDestination, type StageOptions } from 'aws-cdk-lib/aws-apigateway';
import { FilterPattern, type JsonPattern, LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { logPolicy } from '../log-policy.ts';
import { type CountedByAccessLog, namespace } from '../monitoring/metrics.ts';
import { fullNameOf } from '../stack-name.ts';

/**
 * One line a request, with what finds and explains it: the functions log the same `requestId` and `route`. Nothing in
 * it is the caller's: no address, no path with an id, no error message, which can quote what was sent.
 * `error` is the gateway response's type when the gateway itself answered, as in `THROTTLED`; `tokenId` is what
 * `npx crcs tokens list` shows. What does not apply is `-`, so every value is quoted.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-variables-for-access-logging.html
 */
const fields = {
  requestId: '$context.requestId',
  environment: '$context.stage',
  route: '$context.httpMethod $context.resourcePath',
  status: '$context.status',
  latency: '$context.responseLatency',
  error: '$context.error.responseType',
  integrationStatus: '$context.integration.integrationStatus',
  authorizerStatus: '$context.authorizer.status',
  tokenId: '$context.authorizer.principalId',
} as const;

/** The lines that are counted, by metric. */
const countedLines: Readonly<Record<CountedByAccessLog, JsonPattern>> = {
  // No 401s: crawlers that GET the form's address get one. The authorizer counts the refused tokens, since it only runs for
  // requests that bring one. AWS documents no field of this log that would tell the two apart.
  // https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-use-lambda-authorizer.html
  // CloudWatch counts what the web ACL blocks.
  RequestsRefused: FilterPattern.all(
    FilterPattern.stringValue('$.status', '=', '403'),
    FilterPattern.stringValue('$.error', '!=', 'WAF_FILTERED'),
  ),
  RequestsThrottled: FilterPattern.stringValue('$.error', '=', 'THROTTLED'),
};

export interface AccessLogProps {
  readonly retention: RetentionDays;
  /** Whether it outlives the stack: it says which token asked for what. */
  readonly isKept: boolean;
  /** That of the environment. */
  readonly instance: string | undefined;
  /** The API answers under more names than one: then each line says under which, so that one can be given up. */
  readonly severalHosts: boolean;
}

/** The log of the API's requests, and what is counted from it. */
export class AccessLog extends LogGroup {
  /** What makes a stage write the log. */
  readonly stageOptions: Pick<StageOptions, 'accessLogDestination' | 'accessLogFormat'>;

  constructor(scope: Construct, id: string, { retention, isKept, instance, severalHosts }: AccessLogProps) {
    super(scope, id, { retention, removalPolicy: logPolicy(isKept) });
    this.stageOptions = {
      accessLogDestination: new LogGroupLogDestination(this),
      accessLogFormat: AccessLogFormat.custom(
        JSON.stringify({
          ...fields,
          environment: fullNameOf({ name: '$context.stage', instance }),
          ...(severalHosts && { host: '$context.domainName' }),
        }),
      ),
    };
    for (const [metricName, filterPattern] of Object.entries(countedLines)) {
      this.addMetricFilter(metricName, {
        filterPattern,
        metricNamespace: namespace,
        metricName,
        dimensions: { Environment: '$.environment' },
      });
    }
  }
}
