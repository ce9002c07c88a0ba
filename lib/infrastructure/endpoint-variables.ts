import { listSettings } from '../../functions/contacts/selection.ts';
import { scanSettings } from '../../functions/files/file.ts';
import { createContactSettings } from '../../functions/forms/create-settings.ts';
import { inboxSettings } from '../../functions/http/cors.ts';
import { metricsSettings } from '../../functions/shared/metrics.ts';
import { toVariables } from '../../functions/shared/variables.ts';
import { captchaSettings } from '../../functions/spam/captcha.ts';
import { authorizerSettings, type Grants } from '../../functions/tokens/authorizer-settings.ts';
import { isOn } from './confirmation-settings.ts';
import { type Endpoint, type EndpointId, endpointsOf } from './endpoints.ts';
import { countsReceived, type Environment } from './settings.ts';
import { contentOf } from './spam-settings.ts';

type Variables = Readonly<Record<string, string>>;

/** The addresses that only the owner has, in lower case. */
const ownAddresses = ({ notifications }: Environment): string[] =>
  notifications ? [...new Set(notifications.emails.map(({ to }) => to.toLowerCase()))] : [];

const ofForm = ({ confirmation, ...form }: Environment['forms'][string]) => ({
  ...form,
  ...(confirmation !== undefined && { confirmation: isOn(confirmation) }),
});

/** Megabytes of 1,000,000 bytes, as bills count. */
const megabyte = 1_000_000;

const dailyLimits = ({ files }: Environment) =>
  files && { dailyBytes: files.dailyMegabytes * megabyte, caughtDailyBytes: (files.dailyMegabytes * megabyte) / 10 };

const createContactVariables = (environment: Environment): Variables => {
  const { spam } = environment;
  const { captcha } = spam;
  return {
    ...toVariables(createContactSettings, {
      ...environment,
      environment: environment.name,
      forms: Object.entries(environment.forms).map(([name, form]): [string, ReturnType<typeof ofForm>] => [
        name,
        ofForm(form),
      ]),
      confirmation: isOn(environment.confirmation),
      spam: { ...spam, content: contentOf(spam) },
      ownAddresses: ownAddresses(environment),
      files: dailyLimits(environment),
      countsReceived: countsReceived(environment),
    }),
    ...(captcha && toVariables(captchaSettings, { captcha })),
  };
};

/** The environment variables of an endpoint's function, besides the name of its table. */
export const endpointVariables = (
  { id, countsUnreadable }: Endpoint & { readonly id: EndpointId },
  environment: Environment,
): Variables => {
  if (id === 'CreateContact') return createContactVariables(environment);
  return {
    ...(countsUnreadable && toVariables(metricsSettings, { environment: environment.name })),
    ...(id === 'GetContact' && toVariables(scanSettings, { scan: environment.files?.scan })),
    ...(id === 'ListContacts' && toVariables(listSettings, environment)),
    ...toVariables(inboxSettings, environment),
  };
};

/**
 * A resource of an execute-api policy, from the method on. `*` stands for a path parameter, but matches slashes, too: paths
 * below need the same permission, as a test checks.
 */
const resourceOf = ({ method, path }: Endpoint) => `${method}${path.replaceAll(/\{\w+\}/g, '*')}`;

const grantsOf = (environment: Environment): Grants =>
  endpointsOf(environment).flatMap((endpoint) =>
    endpoint.permission ? [{ permission: endpoint.permission, resource: resourceOf(endpoint) }] : [],
  );

/** The environment variables of the authorizer, besides the name of its table. */
export const authorizerVariables = (environment: Environment): Variables =>
  toVariables(authorizerSettings, { environment: environment.name, grants: grantsOf(environment) });
