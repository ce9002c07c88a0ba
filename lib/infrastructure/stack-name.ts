/** The name of an environment's stack. */
export const stackName = (environment: string) => `ContactService-${environment}`;
