/** What an environment is known by. */
export interface Named {
  readonly name: string;
  readonly instance?: string | undefined;
}

/** What tells an environment from all others of its account and region: its name, behind that of its instance. */
export const fullNameOf = ({ name, instance }: Named): string =>
  instance === undefined ? name : `${instance}-${name}`;

/** The name of the stack of an environment, by what it is fully called. */
export const stackName = (fullName: string): string => `ContactService-${fullName}`;

/** The name of an environment's stack. */
export const stackNameOf = (environment: Named): string => stackName(fullNameOf(environment));
