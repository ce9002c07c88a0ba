/** What a cloud, or a choice of the volunteer, can hide. */
export type Observation =
  | 'tls'
  | 'redrive'
  | 'emails'
  | 'throttling'
  | 'authorizer'
  | 'access-log'
  | 'metrics'
  | 'states'
  | 'drift';

/** Why something is not observed. */
export type Hidden = Readonly<Partial<Record<Observation, string>>>;
