import { type IResource, type Method, MockIntegration, PassthroughBehavior } from 'aws-cdk-lib/aws-apigateway';

const allowOrigin = 'Access-Control-Allow-Origin';

/** Chooses the allowed origin among several, by comparing whole strings (a header's name may come in lower case). */
const originTemplate = (siteOrigins: readonly string[]) => `#set($origin = $input.params("Origin"))
#if($origin == "")#set($origin = $input.params("origin"))#end
#if(${siteOrigins.map((origin) => `$origin == "${origin}"`).join(' || ')})
#set($context.responseOverride.header.${allowOrigin} = $origin)
#end`;

/**
 * Answers a CORS preflight for the site origins in the gateway itself, so that a page learns of a failing handler
 * from the real request. Who is no site origin gets an answer without its origin, which a browser takes as a no.
 */
export const addPreflight = (resource: IResource, method: string, siteOrigins: readonly string[]): Method => {
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
          responseParameters: mapValues(headers, (value) => value),
          ...(siteOrigins.length > 1 && { responseTemplates: { 'application/json': originTemplate(siteOrigins) } }),
        },
      ],
    }),
    { methodResponses: [{ statusCode: '204', responseParameters: mapValues(headers, () => true) }] },
  );
};

const mapValues = <From, To>(headers: Record<string, From>, map: (value: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [`method.response.header.${name}`, map(value)]));
