import type { TestProject } from 'vitest/node';
import { createDynalite } from './dynalite.ts';
import { listen, stop } from './server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    readonly dynamoDbEndpoint: string;
  }
}

/**
 * One DynamoDB for the whole run. Test files use tables with different names.
 * `TEST_DYNAMODB_ENDPOINT` replaces the embedded one.
 */
export default async (project: TestProject) => {
  const endpoint = process.env['TEST_DYNAMODB_ENDPOINT'];
  if (endpoint !== undefined) {
    project.provide('dynamoDbEndpoint', endpoint);
    return undefined;
  }
  const server = createDynalite();
  project.provide('dynamoDbEndpoint', await listen(server));
  return () => stop(server);
};
