import { Duration } from 'aws-cdk-lib';
import { EndpointType, LambdaIntegration, RestApi, TokenAuthorizer } from 'aws-cdk-lib/aws-apigateway';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { authenticationHeaderPattern } from '../functions/tokens/token-format.ts';
import type { HandlerName } from './bundle.ts';
import type { Environment } from './environments.ts';
import { gatewayResponses } from './gateway-responses.ts';
import { addPreflight } from './preflight.ts';
import { routes } from './routes.ts';

export interface ApiProps {
  readonly environment: Environment;
  /** The function of each route's handler, and of the authorizer. */
  readonly functions: Readonly<Record<HandlerName, IFunction>>;
}

/** The REST API: the routes, the shared authorizer, gateway responses, preflight and throttles. */
export class Api extends Construct {
  readonly restApi: RestApi;

  constructor(scope: Construct, id: string, { environment, functions }: ApiProps) {
    super(scope, id);
    const { siteOrigins, throttles } = environment;

    this.restApi = new RestApi(this, 'RestApi', {
      restApiName: `contact-service-${environment.name}`,
      description: 'Contact requests and campaigns',
      endpointConfiguration: { types: [EndpointType.REGIONAL] },
      // Multipart bodies reach the handler byte for byte.
      binaryMediaTypes: ['multipart/form-data'],
      cloudWatchRole: false,
      deployOptions: {
        stageName: environment.name,
        throttlingRateLimit: throttles.staff.rate,
        throttlingBurstLimit: throttles.staff.burst,
        methodOptions: Object.fromEntries(
          routes
            .filter(({ permission }) => !permission)
            .map(({ method, path }) => [
              `${path}/${method}`,
              { throttlingRateLimit: throttles.public.rate, throttlingBurstLimit: throttles.public.burst },
            ]),
        ),
      },
    });

    const authorizer = new TokenAuthorizer(this, 'Authorizer', {
      handler: functions.authorizer,
      identitySource: 'method.request.header.Authentication',
      validationRegex: authenticationHeaderPattern,
      // A revoked token stops working within a minute: half of it here, the rest for what is under way.
      resultsCacheTtl: Duration.seconds(30),
    });

    for (const { method, path, handler, permission } of routes) {
      const resource = this.restApi.root.resourceForPath(path);
      const integration = new LambdaIntegration(functions[handler], { allowTestInvoke: false });
      resource.addMethod(method, integration, permission ? { authorizer } : {});
      if (!permission && siteOrigins.length > 0) addPreflight(resource, method, siteOrigins);
    }

    for (const [responseId, options] of gatewayResponses(siteOrigins)) {
      this.restApi.addGatewayResponse(responseId, options);
    }
  }
}
