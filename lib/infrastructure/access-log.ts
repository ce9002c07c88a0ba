import { AccessLogFormat, LogGroupLogDestination, type StageOptions } from 'aws-cdk-lib/aws-apigateway';
import { FilterPattern, type JsonPattern, LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { metricNamespace } from '../../functions/shared/metrics.ts';
import { logRemovalPolicy } from './functions.ts';
import type { Environment } from './settings.ts';

/**
 * One line for each request. The functions log the same `requestId` and `route`. No field comes from the caller: no
 * address, no path with an id, no error message (it can quote the request), and not `$context.requestId`, which the caller can
 * choose.
 * `error`: the type of the gateway response if the gateway itself responded, as in `THROTTLED`. `tokenId`: the id in
 * `npx --no-install crcs tokens list`. Every value is quoted, since API Gateway writes `-` for a missing one.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-variables-for-access-logging.html
 */
const fields = {
  requestId: '$context.extendedRequestId',
  route: '$context.httpMethod $context.resourcePath',
  status: '$context.status',
  latency: '$context.responseLatency',
  error: '$context.error.responseType',
  integrationStatus: '$context.integration.integrationStatus',
  authorizerStatus: '$context.authorizer.status',
  tokenId: '$context.authorizer.principalId',
} as const;

/** The fields of each line if the API has one host. */
export const accessLogFields: readonly string[] = [...Object.keys(fields), 'environment'];

export type AccessLogMetric = 'RequestsRefused' | 'RequestsThrottled';

/** The metrics that CloudWatch counts from the log lines. The functions count the others. */
const metricFilters: Readonly<Record<AccessLogMetric, JsonPattern>> = {
  // 401s are left out: crawlers that GET the form's URL get one, and the log cannot tell them from refused tokens. The
  // authorizer counts refused tokens, since it runs only for requests with a token.
  // https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-use-lambda-authorizer.html
  // CloudWatch counts the requests that the web ACL blocks.
  RequestsRefused: FilterPattern.all(
    FilterPattern.stringValue('$.status', '=', '403'),
    FilterPattern.stringValue('$.error', '!=', 'WAF_FILTERED'),
  ),
  RequestsThrottled: FilterPattern.stringValue('$.error', '=', 'THROTTLED'),
};

/** The access log of the API, with its metric filters. */
export class AccessLog extends LogGroup {
  /** The options of a stage that writes this log. */
  readonly stageOptions: Pick<StageOptions, 'accessLogDestination' | 'accessLogFormat'>;

  constructor(scope: Construct, id: string, environment: Environment) {
    const { name, logRetentionDays, retainData, domains, defaultEndpoint } = environment;
    // The log shows which token read what. Someone may need to know that after the stack is gone.
    super(scope, id, { retention: logRetentionDays, removalPolicy: logRemovalPolicy(retainData) });
    // With several hosts, each line names that of its request, so an operator sees when nobody uses one of them any more.
    const hasSeveralHosts = domains.length + (defaultEndpoint ? 1 : 0) > 1;
    this.stageOptions = {
      accessLogDestination: new LogGroupLogDestination(this),
      accessLogFormat: AccessLogFormat.custom(
        JSON.stringify({
          ...fields,
          environment: name,
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
