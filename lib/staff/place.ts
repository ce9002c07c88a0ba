import * as v from 'valibot';
import { stackNameOf, stackSettings } from '../infrastructure/settings.ts';
import type { WrittenEnvironments } from '../settings-file.ts';
import { StaffError } from './command-line/staff-error.ts';

/** A stack in AWS. */
export interface StackPlace {
  /** What the operator calls it, for people: an environment's name, or else the stack's. */
  readonly called: string;
  readonly stack: string;
  /** The account that it must be in. @defaultValue that of the credentials */
  readonly account?: string | undefined;
  /** The region that it is in. @defaultValue that of the shell */
  readonly region?: string | undefined;
}

/** Where a command acts: on the service of this machine, or on a stack. */
export type Place = 'local' | StackPlace;

/** The names that `--env` may have; the first is the default. */
export const namesOf = (environments: WrittenEnvironments): readonly string[] => [
  'local',
  ...Object.keys(environments),
];

/** How a place is chosen on the command line. */
export const chosenBy = (place: Place): string => {
  if (place === 'local') return '--env local';
  return place.called === place.stack ? `--stack ${place.stack}` : `--env ${place.called}`;
};

/** As CloudFormation has it: https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_CreateStack.html */
const stackNamePattern = /^[A-Za-z][A-Za-z0-9-]{0,127}$/;

/**
 * The stack of that name, where the shell's credentials and region lead: of it the settings need not know.
 * @throws {StaffError} when no stack can have the name
 */
export const placeOfStack = (stack: string): Place => {
  if (stackNamePattern.test(stack)) return { called: stack, stack };
  throw new StaffError(`"${stack}" is no name of a stack: "npx cdk list" shows those of the settings.`);
};

/** Of the settings only what says where: whatever else is wrong with them, a token can be revoked. */
const place = v.object(stackSettings);

/**
 * Where the settings say that an environment is.
 * @throws {StaffError} when they name no such environment, or what they say is wrong
 */
export const placeOf = (environments: WrittenEnvironments, name: string): Place => {
  if (name === 'local') return name;
  if (!Object.hasOwn(environments, name)) {
    throw new StaffError(`Unknown environment "${name}": choose from ${namesOf(environments).join(', ')}.`);
  }
  const result = v.safeParse(place, environments[name]);
  if (result.success) {
    const { instance, account, region } = result.output;
    return { called: name, stack: stackNameOf({ name, instance }), account, region };
  }
  const faults = result.issues.map((issue) => `${v.getDotPath(issue)}: ${issue.message}`);
  throw new StaffError(...faults.map((fault) => `Environment "${name}": ${fault}`));
};
