import { join } from 'node:path';
import { endpoints } from './endpoints.ts';

/** The functions that notify targets of contact requests: an environment without targets has none of them. */
export const notificationHandlers: readonly string[] = ['fan-out', 'notify'];

/**
 * What is bundled: the handler of each endpoint, the authorizer and the functions of notifications, by their file below
 * `functions/`. A stack uploads the bundles that it has functions of.
 */
export const handlerNames: readonly string[] = [
  ...endpoints.map(({ handler }) => handler),
  'authorizer',
  ...notificationHandlers,
];

/** The folder of one handler's bundle: what its Lambda asset holds. */
export const bundleDir = (bundles: string, handler: string) => join(bundles, handler.replaceAll('/', '-'));
