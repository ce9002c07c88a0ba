import * as v from 'valibot';
import { json } from './variables.ts';

/** What the authorizer is told: lib/infrastructure/functions.ts makes it of the endpoints. */
export const authorizerVariables = {
  /** What each permission opens: a resource of an execute-api policy from the method on, as in `GET/v1/campaigns/*`. */
  GRANTS: json(v.array(v.object({ permission: v.string(), resource: v.string() }))),
};

export type AuthorizerVariables = v.InferOutput<v.ObjectSchema<typeof authorizerVariables, undefined>>;
