import * as v from 'valibot';
import { requestSigned } from './signed-request.ts';

/** The only place of the API: https://docs.aws.amazon.com/cli/latest/reference/freetier/ */
const place = { region: 'us-east-1', url: 'https://freetier.us-east-1.api.aws' };

const accountPlan = v.object({
  accountPlanType: v.string(),
  accountPlanStatus: v.string(),
  accountPlanExpirationDate: v.optional(
    v.pipe(
      v.union([v.string(), v.number()]),
      // AWS's JSON writes times in seconds or as text.
      v.transform((time) => new Date(typeof time === 'number' ? time * 1000 : time)),
      v.date(),
    ),
  ),
});

export type AccountPlan = v.InferOutput<typeof accountPlan>;

/**
 * Reads AWS's Free or Paid plan of an account: https://docs.aws.amazon.com/aws-cost-management/latest/APIReference/API_freetier_GetAccountPlanState.html
 * @returns undefined if the account has neither, as older ones
 */
export const readAccountPlan = async (now = new Date()): Promise<AccountPlan | undefined> => {
  const headers = {
    'content-type': 'application/x-amz-json-1.0',
    'x-amz-target': 'AWSFreeTierService.GetAccountPlanState',
  };
  try {
    return await requestSigned(
      { ...place, service: 'freetier', method: 'POST', path: '/', headers, body: '{}' },
      accountPlan,
      now,
    );
  } catch (error) {
    if (error instanceof Error && error.name === 'ResourceNotFoundException') return undefined;
    throw error;
  }
};
