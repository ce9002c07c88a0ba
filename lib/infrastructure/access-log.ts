import { AccessLogFormat, LogGroupLogDestination, type StageOptions } from 'aws-cdk-lib/aws-apigateway';
import { FilterPattern, type JsonPattern, LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { logRemovalPolicy } from './functions.ts';
import { type Environment, fullNameOf } from './settings.ts';

/**
 * One line for each request. The functions log the same `requestId` and `route`. No field comes from the caller: no
 * address, no path with an id, no error message, which can quote the request.
 * `error` is the gateway response's type if the gateway itself answered, as in `THROTTLED`; `tokenId` is what
 * `npx crcs tokens list` shows. A missing value is `-`, so every value is quoted.
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

/** The namespace of the service's own metrics. Each has the dimension `Environment`. */
export const metricNamespace = 'ContactService';

export type AccessLogMetric = 'RequestsRefused' | 'RequestsThrottled';

/** The metrics that are counted from the lines. The functions count the others. */
const metricFilters: Readonly<Record<AccessLogMetric, JsonPattern>> = {
  // Without 401s: crawlers that GET the form's address get one. The authorizer counts refused tokens, since it runs only for
  // requests with a token. AWS documents no field of this log that tells the two apart.
  // https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-use-lambda-authorizer.html
  // CloudWatch counts the requests that the web ACL blocks.
  RequestsRefused: FilterPattern.all(
    FilterPattern.stringValue('$.status', '=', '403'),
    FilterPattern.stringValue('$.error', '!=', 'WAF_FILTERED'),
  ),
  RequestsThrottled: FilterPattern.stringValue('$.error', '=', 'THROTTLED'),
};

/** The log of the API's requests, and the metrics that are counted from it. */
export class AccessLog extends LogGroup {
  /** The options of a stage that writes this log. */
  readonly stageOptions: Pick<StageOptions, 'accessLogDestination' | 'accessLogFormat'>;

  constructor(scope: Construct, id: string, environment: Environment) {
    const { logRetentionDays, retainData, instance, domains, defaultEndpoint } = environment;
    // The log says which token asked for what, which someone may ask after the stack is gone.
    super(scope, id, { retention: logRetentionDays, removalPolicy: logRemovalPolicy(retainData) });
    // Each line names its host if there are several, so that an operator sees when one can be removed.
    const hasSeveralHosts = domains.length + (defaultEndpoint ? 1 : 0) > 1;
    this.stageOptions = {
      accessLogDestination: new LogGroupLogDestination(this),
      accessLogFormat: AccessLogFormat.custom(
        JSON.stringify({
          ...fields,
          environment: fullNameOf({ name: '$context.stage', instance }),
          ...(hasSeveralHosts && { host: '$context.domainName' }),
        }),
      ),
    };
    for (const [metricName, filterPattern] of Object.entries(metricFilters)) {
      this.addMetricFilter(metricName, {
        filterPattern,
        metricNamespace,
        metricName,
        dimensions: { Environment: '$.environment' },
      });
    }
  }
}
