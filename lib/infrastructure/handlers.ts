import { join } from 'node:path';
import { endpoints } from './endpoints.ts';

/** The functions that notify targets of contact requests: an environment without targets has none of them. */
export const notificationHandlers: readonly string[] = ['fan-out', 'notify'];

/** The functions that someone waits for. */
export const apiHandlers: readonly string[] = [...endpoints.map(({ handler }) => handler), 'authorizer'];

/** All handlers, by their file below `functions/`. A stack uploads the bundles that it has functions of. */
export const handlerNames: readonly string[] = [...apiHandlers, ...notificationHandlers];

/** The folder of one handler's bundle: what its Lambda asset holds. */
export const bundleDir = (bundles: string, handler: string) => join(bundles, handler);
