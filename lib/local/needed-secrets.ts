import * as v from 'valibot';

/** A secret that the settings name, and an operator stores. */
export interface NeededSecret {
  readonly name: string;
  /** The setting that names it. */
  readonly setting: string;
}

const captcha = v.object({ spam: v.object({ captcha: v.object({ secret: v.string() }) }) });

const webhooks = v.object({ notifications: v.object({ webhooks: v.array(v.unknown()) }) });

const chat = v.object({ format: v.string(), secret: v.string() });

/**
 * The secrets that an environment's settings name. An error in other settings must not keep an operator from storing them.
 * @param environment as an operator writes it
 */
export const neededSecrets = (environment: unknown): readonly NeededSecret[] => {
  const ofCaptcha = v.is(captcha, environment)
    ? [{ name: environment.spam.captcha.secret, setting: 'spam.captcha' }]
    : [];
  const ofChats = v.is(webhooks, environment)
    ? environment.notifications.webhooks.flatMap((webhook) =>
        v.is(chat, webhook) ? [{ name: webhook.secret, setting: `notifications.webhooks (${webhook.format})` }] : [],
      )
    : [];
  return [...ofCaptcha, ...ofChats];
};
