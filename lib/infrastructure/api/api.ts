import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import {
  CfnRestApi,
  EndpointAccessMode,
  EndpointType,
  LambdaIntegration,
  type Method,
  RestApi,
  SecurityPolicy,
  TokenAuthorizer,
} from 'aws-cdk-lib/aws-apigateway';
import { Construct } from 'constructs';
import { authenticationHeaderPattern } from '../../../functions/tokens/token.ts';
import { publicEndpoints } from '../endpoints.ts';
import type { Functions } from '../functions.ts';
import type { Environment } from '../settings.ts';
import { fullNameOf } from '../stack-name.ts';
import { AccessLog } from './access-log.ts';
import { gatewayResponses } from './gateway-responses.ts';
import { addPreflight } from './preflight.ts';

/**
 * TLS 1.2 or 1.3, with forward secrecy, and nothing older, also on the gateway's own host name.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-security-policies.html
 */
export const tls = ({ strictEndpointAccess }: Environment) => ({
  securityPolicy: SecurityPolicy.TLS13_1_2_PFS_PQ_2025_09,
  endpointAccessMode: strictEndpointAccess ? EndpointAccessMode.STRICT : EndpointAccessMode.BASIC,
});

export interface ApiProps {
  readonly environment: Environment;
  readonly functions: Functions;
}

/** The REST API: the endpoints, the shared authorizer, gateway responses, preflight, throttles and the access log. */
export class Api extends Construct {
  readonly restApi: RestApi;

  constructor(scope: Construct, id: string, { environment, functions }: ApiProps) {
    super(scope, id);
    const { throttles } = environment;
    const siteOrigins = environment.sites.map(({ origin }) => origin);
    const hasPreflight = siteOrigins.length > 0;
    const accessLog = new AccessLog(this, 'AccessLog', {
      instance: environment.instance,
      retention: environment.logRetentionDays,
      isKept: environment.retainData,
      severalHosts: environment.customDomains.length + (environment.defaultEndpoint ? 1 : 0) > 1,
    });

    this.restApi = new RestApi(this, 'RestApi', {
      restApiName: `contact-service-${fullNameOf(environment)}`,
      description: 'Contact requests and campaigns',
      endpointConfiguration: { types: [EndpointType.REGIONAL] },
      disableExecuteApiEndpoint: !environment.defaultEndpoint,
      // Multipart bodies reach the handler byte for byte.
      binaryMediaTypes: ['multipart/form-data'],
      // An access log needs a role that is a setting of the account and region, not of an API: all stacks share it, the
      // last one deployed sets it, each to a role that may do the same. So it outlives the stack: without the role,
      // the logs of the other APIs in the account would stop.
      cloudWatchRole: true,
      cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN,
      deployOptions: {
        ...accessLog.stageOptions,
        stageName: environment.name,
        tracingEnabled: environment.tracing,
        throttlingRateLimit: throttles.staff.rate,
        throttlingBurstLimit: throttles.staff.burst,
        methodOptions: Object.fromEntries(
          // A preflight is a method of its own: left to the stage's default, staff's throttle would hold up visitors.
          publicEndpoints
            .flatMap(({ method, path }) =>
              [method, ...(hasPreflight ? ['OPTIONS'] : [])].map((each) => `${path}/${each}`),
            )
            .map((publicMethod) => [
              publicMethod,
              { throttlingRateLimit: throttles.public.rate, throttlingBurstLimit: throttles.public.burst },
            ]),
        ),
      },
    });
    const { defaultChild } = this.restApi.node;
    if (CfnRestApi.isCfnRestApi(defaultChild)) Object.assign(defaultChild, tls(environment));
    // An output of the CDK's own: the stack has `BaseUrl`.
    this.restApi.node.tryRemoveChild('Endpoint');

    const authorizer = new TokenAuthorizer(this, 'Authorizer', {
      handler: functions.authorizer,
      identitySource: 'method.request.header.Authentication',
      validationRegex: authenticationHeaderPattern,
      // A revoked token stops working within a minute: half of it here, the rest for what is under way.
      resultsCacheTtl: Duration.seconds(30),
    });

    for (const [{ method, path, permission }, handler] of functions.handlers) {
      const resource = this.restApi.root.resourceForPath(path);
      const integration = new LambdaIntegration(handler, { allowTestInvoke: false });
      const defined = resource.addMethod(method, integration, permission ? { authorizer } : {});
      if (permission) continue;
      acknowledgePublic(defined);
      if (hasPreflight) acknowledgePublic(addPreflight(resource, method, siteOrigins));
    }

    for (const [responseId, options] of gatewayResponses(siteOrigins)) {
      this.restApi.addGatewayResponse(responseId, options);
    }

    Validations.of(this.restApi).acknowledge(
      {
        id: 'AwsSolutions-APIG2',
        reason:
          'The functions validate every request with a schema, and answer with each fault at once, in words for the visitor. A validator of the gateway sees JSON bodies only (forms are legal here), stops at the first fault and cannot name the field.',
      },
      {
        id: 'AwsSolutions-APIG6',
        reason:
          'The access log has each request and the gateway error behind it, without personal data. Execution logs would hold paths, query strings and headers, in a log group that API Gateway makes itself, with no retention.',
      },
      {
        id: 'AwsSolutions-COG4',
        reason:
          'The interface asks for opaque tokens in the header Authentication, for scripts: a Lambda authorizer checks them and their permissions before any handler runs. There are no users who could sign in to a user pool.',
      },
      {
        id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
        reason:
          'The role serves every API of the account and region, also those of other stacks, so it cannot be narrowed to the log groups of this one; the policy is the one that API Gateway documents for it.',
      },
    );
    if (!environment.webAcl) {
      Validations.of(this.restApi).acknowledge({
        id: 'AwsSolutions-APIG3',
        reason:
          'The environment has its web ACL turned off by its setting `webAcl`, since it has a monthly price; throttles, and an alarm on how much is stored, stand against a flood.',
      });
    }
  }
}

const acknowledgePublic = (method: Method) =>
  Validations.of(method).acknowledge({
    id: 'AwsSolutions-APIG4',
    reason:
      'The form of a public site posts here: its visitors have no credentials (interface.md, section 4). It is throttled, checks the origin, and can do no more than add a contact request.',
  });
