import * as v from 'valibot';
import type { Emulator } from './emulator.ts';

const mailbox = v.object({
  messages: v.record(
    v.string(),
    v.array(
      v.object({
        MessageId: v.string(),
        Source: v.string(),
        To: v.array(v.string()),
        Subject: v.string(),
        BodyText: v.string(),
      }),
    ),
  ),
});

const asked = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    ReplyToAddresses: v.exactOptional(v.array(v.string()), []),
    Content: v.object({ Simple: v.object({ Headers: v.array(v.object({ Name: v.string(), Value: v.string() })) }) }),
  }),
);

/** A mail as its recipient has it. */
export interface Mail {
  readonly from: string;
  readonly to: readonly string[];
  readonly replyTo: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly headers: readonly { readonly Name: string; readonly Value: string }[];
}

/** The mails that SES has taken, by the emulator's mailbox. */
export const mailsAt = async (emulator: Emulator): Promise<Mail[]> => {
  const response = await fetch(`${emulator.endpoint}/_ministack/ses/messages`);
  const { messages } = v.parse(mailbox, await response.json());
  return Promise.all(
    Object.values(messages)
      .flat()
      .map(async ({ MessageId, Source, To, Subject, BodyText }) => {
        const { ReplyToAddresses, Content } = v.parse(asked, await emulator.mail(MessageId));
        return {
          from: Source,
          to: To,
          replyTo: ReplyToAddresses,
          subject: Subject,
          text: BodyText,
          headers: Content.Simple.Headers,
        };
      }),
  );
};
