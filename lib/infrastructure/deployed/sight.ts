/** What AWS says of an environment before it is deployed. */
export type Sight = Deployed | NeverDeployed | Unseen;

/** Its stack was complete once. */
export interface Deployed {
  readonly kind: 'deployed';
  readonly outputs: Readonly<Record<string, string | undefined>>;
}

/** It has no stack, or one that was never complete: nothing of it has any data. */
export interface NeverDeployed {
  readonly kind: 'never deployed';
  /** The account and region in which there is none. */
  readonly where: string;
  /** The other regions that have a stack of its name; asked only where data are to be kept. */
  readonly regions: readonly string[];
  /** The stacks of that account and region whose tags name the environment. */
  readonly namesakes: readonly string[];
  /** Those of the service whose tags name another, which no settings have. */
  readonly strangers: readonly string[];
}

/** Nobody knows. */
export interface Unseen {
  readonly kind: 'unseen';
  readonly why: string;
  /** Whether the CDK deploys with credentials that the app has not: it may see what the app does not. */
  readonly otherCredentials: boolean;
}
