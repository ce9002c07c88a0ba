import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { captchaVariables, createCaptcha, secretKey } from './contacts/captcha.ts';
import { createContact } from './contacts/create.ts';
import { options } from './create-contact.ts';
import { namedSecret } from './shared/secret.ts';
import { readVariables } from './shared/variables.ts';

export { primed } from './create-contact.ts';

const { provider, secret } = readVariables(captchaVariables).CAPTCHA;
const { count, now } = options;
const limit = (milliseconds: number) => AbortSignal.timeout(milliseconds);

/** In place of create-contact.ts in environments with a captcha, so that the others do not load what it needs. */
export const handler = createContact({
  ...options,
  captcha: createCaptcha({
    ...{ provider, count, limit },
    secret: namedSecret(new SecretsManagerClient(), secret, secretKey, limit, now),
  }),
});
