import { deployedSettingsIn, domainsIn } from '../deployed-settings.ts';
import type { Environment } from '../settings.ts';
import { stackNameOf } from '../stack-name.ts';
import { tableNamesIn } from '../table-outputs.ts';
import type { Deployed, NeverDeployed, Sight } from './sight.ts';

/** What a deployment would lose by a changed setting, in words; nothing where it would not. */
type Loss = string | undefined;

const ofDeployed =
  (loss: (environment: Environment, deployed: Deployed) => Loss) =>
  (environment: Environment, sight: Sight): Loss =>
    sight.kind === 'deployed' ? loss(environment, sight) : undefined;

const ofNeverDeployed =
  (loss: (environment: Environment, sight: NeverDeployed) => Loss) =>
  (environment: Environment, sight: Sight): Loss =>
    sight.kind === 'never deployed' ? loss(environment, sight) : undefined;

/** What a second stack would be to those who know the first. */
const anew =
  'a second one would be made, with empty tables, another base URL and no token, and the forms would go on posting to the first (docs/operation.md)';

/** Each by the setting that is changed, or by what else is to be confirmed. */
export const guards = {
  retainData: ofDeployed(({ retainData }, { outputs }) => {
    if (retainData || !deployedSettingsIn(outputs)?.retainData) return undefined;
    return 'it is deployed with "retainData: true": stack and tables would lose their protection, and with the stack its contact requests, campaigns and tokens would go';
  }),
  existingTables: ofDeployed(({ existingTables }, { outputs }) => {
    const running = tableNamesIn(outputs);
    if (!running) return undefined;
    const stay = existingTables
      ? existingTables.contacts === running.contacts &&
        existingTables.campaigns === running.campaigns &&
        existingTables.tokens === running.tokens
      : !deployedSettingsIn(outputs)?.existingTables;
    if (stay) return undefined;
    return `its tables are ${Object.values(running).join(', ')}, and would be others: what is in them would be shown no more, and stay there`;
  }),
  customDomains: ofDeployed(({ customDomains }, { outputs }) => {
    const deployed = domainsIn(outputs);
    const names = customDomains.map(({ name }) => name);
    // One that stays has been there for the forms to move to.
    if (deployed.length === 0 || deployed.some((name) => names.includes(name))) return undefined;
    return `it answers at ${deployed.join(', ')}, which would end at once, and with it every form that posts there: let another name answer beside it first (docs/operation.md)`;
  }),
  defaultEndpoint: ofDeployed(({ defaultEndpoint }, { outputs }) => {
    if (defaultEndpoint || domainsIn(outputs).length > 0) return undefined;
    const { BaseUrl: baseUrl = 'its base URL' } = outputs;
    return `${baseUrl} would answer no more before any form or name leads elsewhere: deploy without defaultEndpoint: false first (docs/operation.md)`;
  }),
  region: ofNeverDeployed((environment, { where, regions }) => {
    if (regions.length === 0) return undefined;
    return `there is no ${stackNameOf(environment)} in ${where}, but in ${regions.join(', ')}: ${anew}`;
  }),
  instance: ofNeverDeployed((environment, { where, namesakes }) => {
    if (namesakes.length === 0) return undefined;
    return `there is no ${stackNameOf(environment)} in ${where}, but ${namesakes.join(', ')} is this environment by its tags: ${anew}`;
  }),
  // Also where nothing is to be kept: what is deployed may be.
  unseen: (_: Environment, sight: Sight): Loss => {
    if (sight.kind !== 'unseen' || !sight.otherCredentials) return undefined;
    return `what is deployed was not looked at: ${sight.why}`;
  },
} satisfies Record<string, (environment: Environment, sight: Sight) => Loss>;
