import { randomBytes } from 'node:crypto';
import { stackName } from '../../lib/infrastructure/settings.ts';

/** Only what this script names so may ever be removed by it. */
export const runName = /^live-[0-9a-f]{4}$/;

export const newRunName = (): string => `live-${randomBytes(2).toString('hex')}`;

/** The tags of all that a run makes: those of the service's own stacks. */
export const tagsOf = (name: string) => ({ Service: 'contact-service', Environment: name });

export const serviceStack = (name: string): string => stackName(name);

export const receiverStack = (name: string): string => `${serviceStack(name)}-receiver`;

/** How the names begin that CloudFormation gives to the resources of both stacks. */
export const resourcePrefix = (name: string): string => `${serviceStack(name)}-`;
