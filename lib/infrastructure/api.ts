import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import {
  CfnRestApi,
  type DomainName,
  EndpointAccessMode,
  EndpointType,
  type GatewayResponse,
  LambdaIntegration,
  type Method,
  type MethodDeploymentOptions,
  RestApi,
  SecurityPolicy,
  TokenAuthorizer,
} from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { CfnRecordSet } from 'aws-cdk-lib/aws-route53';
import { Construct } from 'constructs';
import { authenticationHeaderPattern } from '../../functions/tokens/token.ts';
import { AccessLog } from './access-log.ts';
import { publicEndpoints } from './endpoints.ts';
import type { Functions } from './functions.ts';
import { gatewayResponses } from './gateway-responses.ts';
import { addPreflight, permitsOf } from './preflight.ts';
import type { Domain, Environment } from './settings.ts';

/**
 * TLS 1.2 or 1.3 with forward secrecy. The access mode is BASIC: STRICT breaks pages that call two APIs with one certificate
 * (docs/decisions.md).
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-security-policies.html
 */
const tls = {
  securityPolicy: SecurityPolicy.TLS13_1_2_PFS_PQ_2025_09,
  endpointAccessMode: EndpointAccessMode.BASIC,
};

/**
 * The throttles of the public methods and their preflights, which a low limit for staff must not stop. API Gateway counts for each
 * method: a flood of preflights uses up theirs alone. Those of an inbox keep the stage's: without preflights, only the inbox stops,
 * and a flood of requests with invented tokens does the same.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-request-throttling.html
 */
const publicThrottles = (environment: Environment): Record<string, MethodDeploymentOptions> => {
  const { rate, burst } = environment.throttles.public;
  const throttle = { throttlingRateLimit: rate, throttlingBurstLimit: burst };
  const methods = publicEndpoints.flatMap(({ method, path }) => [`${path}/${method}`, `${path}/OPTIONS`]);
  return Object.fromEntries(methods.map((method) => [method, throttle]));
};

interface ApiProps {
  readonly environment: Environment;
  readonly functions: Functions;
}

/** The REST API: the endpoints, the shared authorizer, gateway responses, preflight, throttles and the access log. */
export class Api extends Construct {
  readonly restApi: RestApi;

  constructor(scope: Construct, id: string, { environment, functions }: ApiProps) {
    super(scope, id);
    const { throttles } = environment;
    const accessLog = new AccessLog(this, 'AccessLog', environment);

    this.restApi = new RestApi(this, 'RestApi', {
      restApiName: `contact-service-${environment.name}`,
      description: 'Contact requests and campaigns',
      endpointConfiguration: { types: [EndpointType.REGIONAL] },
      disableExecuteApiEndpoint: !environment.defaultEndpoint,
      // Forms reach the handler byte for byte: the gateway would replace what is not UTF-8.
      binaryMediaTypes: ['multipart/form-data', 'application/x-www-form-urlencoded', 'text/plain'],
      // An account has one role per region for access logs, which all its APIs share. It outlives the stack: without it, the
      // logs of the other APIs would stop.
      cloudWatchRole: true,
      cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN,
      deployOptions: {
        ...accessLog.stageOptions,
        stageName: environment.key,
        tracingEnabled: environment.tracing,
        throttlingRateLimit: throttles.staff.rate,
        throttlingBurstLimit: throttles.staff.burst,
        methodOptions: publicThrottles(environment),
      },
    });
    const { defaultChild } = this.restApi.node;
    if (CfnRestApi.isCfnRestApi(defaultChild)) Object.assign(defaultChild, tls);
    // The CDK's own output duplicates `BaseUrl`.
    this.restApi.node.tryRemoveChild('Endpoint');

    const authorizer = new TokenAuthorizer(this, 'Authorizer', {
      handler: functions.authorizer,
      identitySource: 'method.request.header.Authentication',
      validationRegex: authenticationHeaderPattern,
      // A revoked token stops working within a minute.
      resultsCacheTtl: Duration.seconds(30),
    });

    for (const [{ method, path, permission }, handler] of functions.handlers) {
      const resource = this.restApi.root.resourceForPath(path);
      const integration = new LambdaIntegration(handler, { allowTestInvoke: false });
      const defined = resource.addMethod(method, integration, permission ? { authorizer } : {});
      if (!permission) acknowledgePublic(defined, forVisitors);
      const permits = permitsOf(path, environment);
      // Endpoints of one path share a preflight.
      if (permits.length > 0 && !resource.node.tryFindChild('OPTIONS')) {
        acknowledgePublic(addPreflight(resource, permits), forBrowsers);
      }
    }

    this.#addGatewayResponses(environment);

    Validations.of(this.restApi).acknowledge(
      {
        id: 'AwsSolutions-APIG2',
        reason:
          'The functions validate every request with a schema, and report all errors at once, in words for the visitor. A validator of the gateway reads JSON bodies only (forms are allowed here), stops at the first error and cannot name the field.',
      },
      {
        id: 'AwsSolutions-APIG6',
        reason:
          'The access log has each request and its gateway error, without personal data. Execution logs would hold paths, query strings and headers, in a log group that API Gateway creates without a retention time.',
      },
      {
        id: 'AwsSolutions-COG4',
        reason:
          'The interface requires opaque tokens in the header Authentication. A Lambda authorizer checks them and their permissions before any handler runs. There are no users who could sign in to a user pool.',
      },
      {
        id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
        reason:
          'Every API of the account and region shares the role, so it cannot be narrowed to the log groups of this stack. API Gateway documents this policy for it.',
      },
    );
    if (!environment.webAcl) {
      Validations.of(this.restApi).acknowledge({
        id: 'AwsSolutions-APIG3',
        reason:
          'The setting `webAcl` turns it off, since it has a monthly price. Throttles and the alarm contacts-flood limit a flood.',
      });
    }
  }

  /**
   * One after the other. CloudFormation creates what depends on nothing at the same time, and does not try again when API Gateway
   * refuses a call with "Too Many Requests": an account has ten a second for all of API Gateway, after a burst of 40.
   * https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html
   * https://github.com/aws-cloudformation/cloudformation-coverage-roadmap/issues/1095
   */
  #addGatewayResponses(environment: Environment): void {
    let previous: GatewayResponse | undefined;
    for (const [responseId, options] of gatewayResponses(environment)) {
      const response = this.restApi.addGatewayResponse(responseId, options);
      if (previous) response.node.addDependency(previous);
      previous = response;
    }
  }
}

const forVisitors =
  'Forms of public sites submit here, and visitors have no credentials (interface.md, section 4). The method is throttled, checks the origin, and can only add a contact request.';

const forBrowsers =
  'Browsers send preflights without credentials. The method is throttled, and its response holds nothing but the origins, methods and headers that are allowed.';

const acknowledgePublic = (method: Method, reason: string) =>
  Validations.of(method).acknowledge({ id: 'AwsSolutions-APIG4', reason });

/** A domain as part of an id (letters and digits only): `ContactExampleCom`. */
export const domainId = ({ name }: Domain): string =>
  name.replaceAll(/(?:^|[.-])(.)/g, (_, letter: string) => letter.toUpperCase());

interface CustomDomainProps {
  readonly restApi: RestApi;
  readonly domain: Domain;
}

/** A custom domain for the API's stage, with its DNS record if the zone is known. */
export class CustomDomain extends Construct {
  readonly domainName: DomainName;
  /** The id of the output with the target of the domain's CNAME. */
  readonly targetOutput: string;

  /** @param id contains the domain's name, so that removing one domain does not replace another */
  constructor(scope: Construct, id: string, { restApi, domain }: CustomDomainProps) {
    super(scope, id);
    this.targetOutput = `DomainTarget${domainId(domain)}`;
    this.domainName = restApi.addDomainName(`CustomDomain-${domain.name}`, {
      domainName: domain.name,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', domain.certificateArn),
      ...tls,
    });
    if (domain.hostedZone) {
      new CfnRecordSet(this, 'Record', {
        hostedZoneId: domain.hostedZone.id,
        name: domain.name,
        type: 'A',
        aliasTarget: {
          dnsName: this.domainName.domainNameAliasDomainName,
          hostedZoneId: this.domainName.domainNameAliasHostedZoneId,
        },
      });
    }
  }
}
