import * as v from 'valibot';
import type { Emulator } from './emulator.ts';

const mail = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    FromEmailAddress: v.string(),
    ConfigurationSetName: v.string(),
    ReplyToAddresses: v.exactOptional(v.array(v.string()), []),
    Destination: v.object({ ToAddresses: v.array(v.string()) }),
    Content: v.object({
      Simple: v.object({
        Subject: v.object({ Data: v.string() }),
        Body: v.object({ Text: v.object({ Data: v.string() }) }),
        Headers: v.array(v.object({ Name: v.string(), Value: v.string() })),
      }),
    }),
  }),
  v.transform(({ FromEmailAddress: from, Destination, ReplyToAddresses: replyTo, Content, ConfigurationSetName }) => ({
    from,
    to: Destination.ToAddresses,
    replyTo,
    subject: Content.Simple.Subject.Data,
    text: Content.Simple.Body.Text.Data,
    headers: Content.Simple.Headers,
    configurationSet: ConfigurationSetName,
  })),
);

/** A mail as the function gave it to SES. */
export type Mail = v.InferOutput<typeof mail>;

/** The mails that SES accepted. */
export const mailsAt = async (emulator: Emulator): Promise<Mail[]> =>
  (await emulator.mails()).map((text) => v.parse(mail, text));
