import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import {
  CfnRestApi,
  type DomainName,
  EndpointAccessMode,
  EndpointType,
  type IResource,
  LambdaIntegration,
  type Method,
  MockIntegration,
  PassthroughBehavior,
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
import { type Domain, type Environment, fullNameOf } from './settings.ts';

/**
 * TLS 1.2 or 1.3 with forward secrecy, also on the gateway's own host name. The access mode is BASIC: STRICT would break pages
 * that call two APIs under one certificate (docs/decisions.md).
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-security-policies.html
 */
const tls = {
  securityPolicy: SecurityPolicy.TLS13_1_2_PFS_PQ_2025_09,
  endpointAccessMode: EndpointAccessMode.BASIC,
};

const allowOrigin = 'Access-Control-Allow-Origin';

/** Chooses the allowed origin among several. The name of the header may be in lower case. */
const originTemplate = (siteOrigins: readonly string[]) => `#set($origin = $input.params("Origin"))
#if($origin == "")#set($origin = $input.params("origin"))#end
#if(${siteOrigins.map((origin) => `$origin == "${origin}"`).join(' || ')})
#set($context.responseOverride.header.${allowOrigin} = $origin)
#end`;

const methodResponseHeaders = <From, To>(headers: Record<string, From>, map: (value: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [`method.response.header.${name}`, map(value)]));

/**
 * The gateway answers CORS preflights itself, so that a page learns of a failing handler from the real request. A foreign
 * origin gets an answer without an allowed origin.
 */
const addPreflight = (resource: IResource, method: string, siteOrigins: readonly string[]): Method => {
  const headers = {
    'Access-Control-Allow-Methods': `'${method}'`,
    'Access-Control-Allow-Headers': "'Content-Type,Idempotency-Key'",
    'Access-Control-Max-Age': "'7200'",
    Vary: "'Origin'",
    ...(siteOrigins.length === 1 && { [allowOrigin]: `'${siteOrigins[0]}'` }),
  };
  return resource.addMethod(
    'OPTIONS',
    new MockIntegration({
      passthroughBehavior: PassthroughBehavior.NEVER,
      requestTemplates: { 'application/json': '{ "statusCode": 204 }' },
      integrationResponses: [
        {
          statusCode: '204',
          responseParameters: methodResponseHeaders(headers, (value) => value),
          ...(siteOrigins.length > 1 && { responseTemplates: { 'application/json': originTemplate(siteOrigins) } }),
        },
      ],
    }),
    { methodResponses: [{ statusCode: '204', responseParameters: methodResponseHeaders(headers, () => true) }] },
  );
};

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
    const accessLog = new AccessLog(this, 'AccessLog', environment);

    this.restApi = new RestApi(this, 'RestApi', {
      restApiName: `contact-service-${fullNameOf(environment)}`,
      description: 'Contact requests and campaigns',
      endpointConfiguration: { types: [EndpointType.REGIONAL] },
      disableExecuteApiEndpoint: !environment.defaultEndpoint,
      // Multipart bodies reach the handler byte for byte.
      binaryMediaTypes: ['multipart/form-data'],
      // An access log needs a role that belongs to the account and region. All stacks share it, and each deployment sets it
      // to an equal one. It outlives the stack: without it, the logs of other APIs in the account would stop.
      cloudWatchRole: true,
      cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN,
      deployOptions: {
        ...accessLog.stageOptions,
        stageName: environment.name,
        tracingEnabled: environment.tracing,
        throttlingRateLimit: throttles.staff.rate,
        throttlingBurstLimit: throttles.staff.burst,
        methodOptions: Object.fromEntries(
          // A preflight is a method of its own. With the stage's default, staff requests would throttle visitors.
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
    if (CfnRestApi.isCfnRestApi(defaultChild)) Object.assign(defaultChild, tls);
    // The CDK's own output: the stack has `BaseUrl` instead.
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

/** A domain as part of an id, which has only letters and digits: `ContactExampleCom`. */
export const domainId = ({ name }: Domain): string =>
  name.replaceAll(/(?:^|[.-])(.)/g, (_, letter: string) => letter.toUpperCase());

export interface CustomDomainProps {
  readonly restApi: RestApi;
  readonly domain: Domain;
}

/** A custom domain for the API's stage, with its DNS record if the zone is known. */
export class CustomDomain extends Construct {
  readonly domainName: DomainName;
  /** The id of the output with the target of the domain's CNAME. */
  readonly targetOutput: string;

  /** @param id holds the domain's name, so that one domain can be removed while another stays */
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
