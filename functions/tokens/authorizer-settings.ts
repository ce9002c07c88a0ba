import * as v from 'valibot';
import { metricsSettings } from '../shared/metrics.ts';

/** What the authorizer reads from variables. lib/infrastructure/endpoint-variables.ts derives the grants from the endpoints. */
export const authorizerSettings = v.object({
  ...metricsSettings.entries,
  /** The resources of each permission, from the method on: `GET/v1/campaigns/*`. */
  grants: v.array(v.object({ permission: v.string(), resource: v.string() })),
});

export type Grants = v.InferOutput<typeof authorizerSettings>['grants'];
