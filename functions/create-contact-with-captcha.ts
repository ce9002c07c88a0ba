import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { options } from './create-contact.ts';
import { createContact } from './forms/create.ts';
import { namedSecret } from './shared/secret.ts';
import { readVariables } from './shared/variables.ts';
import { captchaSettings, createCaptcha, secretKey } from './spam/captcha.ts';

export { primed } from './create-contact.ts';

const { captcha } = readVariables(captchaSettings);
const { sites, count, now } = options;
const timeoutAfter = (milliseconds: number) => AbortSignal.timeout(milliseconds);

/** In place of create-contact.ts in environments with a captcha, so that the others do not load what it needs. */
export const handler = createContact({
  ...options,
  captcha: createCaptcha({
    provider: captcha.provider,
    sites,
    count,
    timeoutAfter,
    secret: namedSecret(new SecretsManagerClient(), captcha.secret, secretKey, timeoutAfter, now),
  }),
});
