import { GetFunctionConfigurationCommand, LambdaClient } from '@aws-sdk/client-lambda';
import * as v from 'valibot';
import { site } from '../../../functions/contacts/site.ts';
import { jsonVariable } from '../../../functions/shared/variables.ts';
import { StaffError } from '../command-line/staff-error.ts';
import type { Deployment } from './deployment.ts';

/** What a check that asks for them has to be allowed. */
export const variablesActions = ['lambda:GetFunctionConfiguration'] as const;

const variables = v.object({ SITES: jsonVariable(v.array(site)) });

/**
 * The sites as the deployed function knows them: neither this machine's settings nor others can differ from that.
 * @throws {StaffError} when the function is not there or of another version
 */
export const sitesOf = async ({ resource, client, stack }: Deployment) => {
  const name = resource('AWS::Lambda::Function', 'CreateContact')?.physicalId;
  if (name === undefined) throw new StaffError('The function that takes forms is not there.');
  const told = await client(LambdaClient).send(new GetFunctionConfigurationCommand({ FunctionName: name }));
  const result = v.safeParse(variables, told.Environment?.Variables);
  if (result.success) return result.output.SITES;
  throw new StaffError(`The function that takes forms is of another version: npx cdk deploy ${stack}`);
};
