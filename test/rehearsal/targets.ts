import * as v from 'valibot';

const target = v.object({
  name: v.string(),
  kind: v.picklist(['email', 'webhook', 'slack']),
  /** The URL of its queue. */
  queue: v.string(),
  /** The ARN of a webhook's secret. */
  secret: v.exactOptional(v.string()),
});

export type Target = v.InferOutput<typeof target>;

/** The targets of notifications in the outputs of a stack. */
export const targetsIn = (outputs: Readonly<Record<string, string>>): Target[] =>
  Object.entries(outputs)
    .filter(([name]) => /^Notify(Email|Webhook|Slack)/.test(name))
    .map(([, value]) => v.parse(v.pipe(v.string(), v.parseJson(), target), value));
