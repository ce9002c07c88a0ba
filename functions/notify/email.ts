import { type SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { emailText, replyAddressOf } from './email-text.ts';
import { Failure, nameOf } from './failure.ts';
import type { Tell } from './notification.ts';
import { subjectOf } from './subject.ts';
import { type TimeLimit, within } from './time-limit.ts';

export interface EmailOptions {
  readonly from: string;
  readonly to: string;
  /** The environment's name. */
  readonly environment: string;
}

/** For Amazon SES to take a mail, in milliseconds. */
const sendLimit = 8_000;

const utf8 = (text: string) => ({ Data: text, Charset: 'UTF-8' });

/**
 * Tells people by a mail that they can answer. SES puts the headers together, and encodes what stands in them.
 * https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_Message.html
 */
export const tellByEmail =
  (client: SESv2Client, { from, to, environment }: EmailOptions, limit: TimeLimit): Tell =>
  async ({ contact }) => {
    const replyAddress = replyAddressOf(contact);
    const command = new SendEmailCommand({
      FromEmailAddress: from,
      Destination: { ToAddresses: [to] },
      ...(replyAddress !== undefined && { ReplyToAddresses: [replyAddress] }),
      Content: {
        Simple: {
          Subject: utf8(subjectOf(contact)),
          Body: { Text: utf8(emailText(contact, environment)) },
          // No machine answers it, such as one that says when somebody is back: RFC 3834, section 5.
          Headers: [{ Name: 'Auto-Submitted', Value: 'auto-generated' }],
        },
      },
    });
    try {
      await within(limit(sendLimit), (abortSignal) => client.send(command, { abortSignal }));
    } catch (error) {
      throw new Failure(`SES ${nameOf(error)}`);
    }
  };
