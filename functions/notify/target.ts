import * as v from 'valibot';

/** The chat products that can be targets, as the setting `format` names them: chats.ts has what each needs. */
export const chatKinds = ['slack', 'discord', 'telegram'] as const;

export type ChatKind = (typeof chatKinds)[number];

/** A target of notifications: an address or a webhook of the settings. */
export const targetSchema = v.variant('kind', [
  v.object({ kind: v.literal('email'), to: v.string() }),
  /** https://www.standardwebhooks.com; `secret` is the signing secret's ARN. */
  v.object({ kind: v.literal('webhook'), url: v.string(), secret: v.string() }),
  /** A channel of a chat product; `secret` is the name of the secret that holds the URL to post to. */
  v.object({ kind: v.picklist(chatKinds), secret: v.string() }),
]);

export type Target = Readonly<v.InferOutput<typeof targetSchema>>;

export type TargetKind = Target['kind'];

export const targetKinds: readonly TargetKind[] = ['email', 'webhook', ...chatKinds];

/** A message in a target's queue. It holds no personal data: `notify` reads the contact request itself. */
export const targetMessage = v.object({
  /** The target's name. */
  target: v.string(),
  /** The contact request's id. */
  id: v.string(),
  /** The time at which it entered the list: RFC 3339, UTC, milliseconds. */
  listedAt: v.string(),
});

export type TargetMessage = v.InferOutput<typeof targetMessage>;

/**
 * Stands for the visitor where messages, logs and metrics name a target. It is no target: the owner did not choose it, so no
 * command lists it, and it takes no contact request from a target with `otherwise`.
 */
export const confirmationQueue = 'Confirmation';

/** Stands for a site's origin where a contact request has none. */
export const noSite = '';
