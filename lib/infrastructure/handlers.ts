import { join } from 'node:path';
import { endpoints } from './endpoints.ts';

/** What tells one target of contact requests, by its file below `functions/`. */
export const notifyHandler = 'notify/notify';

/**
 * What is bundled: the handler of each endpoint, the authorizer and what tells targets, by their file below `functions/`.
 * A stack uploads the bundles that it has functions of.
 */
export const handlerNames: readonly string[] = [
  ...endpoints.map(({ handler }) => handler),
  'authorizer',
  notifyHandler,
];

/** The folder of one handler's bundle: what its Lambda asset holds. */
export const bundleDir = (bundles: string, handler: string) => join(bundles, handler.replaceAll('/', '-'));
