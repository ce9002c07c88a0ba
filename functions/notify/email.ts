import { type SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { errorName, LoggableError, type TimeoutAfter, withDeadline } from '../shared/calls.ts';
import type { Deliver } from './deliver.ts';
import { emailHtml } from './email-html.ts';
import { emailText } from './email-text.ts';
import { replyAddressOf } from './reply.ts';
import { inSiteLanguage, subjectOf, type Wording } from './wording.ts';

interface EmailOptions {
  readonly from: string;
  readonly to: string;
  /** Publishes bounces, complaints and rejects, which raise alarms. */
  readonly configurationSet: string | undefined;
  readonly wording: Wording;
}

/** Milliseconds for SES to accept an email. */
const sendTimeout = 8_000;

const utf8 = (text: string) => ({ Data: text, Charset: 'UTF-8' });

/**
 * Delivers by email. SES composes and encodes the headers. None is `Auto-Submitted`: a person wrote it, and help desks ignore what
 * a program wrote (docs/email.md#help-desks).
 * https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_Message.html
 */
export const deliverByEmail =
  (client: SESv2Client, { from, to, configurationSet, wording }: EmailOptions, timeoutAfter: TimeoutAfter): Deliver =>
  async ({ contact }) => {
    const inLanguage = await inSiteLanguage(contact, wording);
    const replyAddress = replyAddressOf(contact);
    const command = new SendEmailCommand({
      FromEmailAddress: from,
      Destination: { ToAddresses: [to] },
      ConfigurationSetName: configurationSet,
      ...(replyAddress !== undefined && { ReplyToAddresses: [replyAddress] }),
      Content: {
        Simple: {
          Subject: utf8(subjectOf(contact, inLanguage)),
          Body: {
            Text: utf8(emailText(contact, inLanguage)),
            Html: utf8(emailHtml(contact, inLanguage)),
          },
        },
      },
    });
    try {
      await withDeadline(timeoutAfter(sendTimeout), (abortSignal) => client.send(command, { abortSignal }));
    } catch (error) {
      throw new LoggableError(`SES ${errorName(error)}`);
    }
  };
