import * as v from 'valibot';
import { baseUrlsOf, formPath } from '../addresses.ts';
import { type Check, type Finding, wrong } from '../check.ts';
import type { Deployment } from '../deployment.ts';
import { ask } from '../page.ts';

/** What the gateway answers where somebody without a token asks for the list of contact requests. */
const refusal = v.pipe(v.string(), v.parseJson(), v.object({ error: v.literal('Unauthorized') }));

const lookAt = async (url: string, { stack }: Deployment): Promise<Finding[]> => {
  const page = await ask(url + formPath);
  const isDefault = /\.execute-api\./.test(url);
  const remedy = isDefault
    ? `npx cdk deploy ${stack} --revert-drift`
    : 'docs/operation.md#move-to-a-domain-of-your-own';
  if (typeof page === 'string') return [wrong(`${url} cannot be reached: ${page}.`, remedy)];
  if (page.status === 401 && v.is(refusal, page.text)) return [];
  return [wrong(`${url} does not answer as this service does: HTTP ${page.status}.`, remedy)];
};

/** Whether the API answers under each of its names: DNS, certificate and all that lies between. */
export const baseUrls: Check = {
  name: 'base URLs',
  actions: [],
  look: async (deployment) => (await Promise.all(baseUrlsOf(deployment).map((url) => lookAt(url, deployment)))).flat(),
};
