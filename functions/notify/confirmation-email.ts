import { type SESClient, SESServiceException, SendTemplatedEmailCommand } from '@aws-sdk/client-ses';
import { errorName, LoggableError, type TimeoutAfter, withDeadline } from '../shared/calls.ts';

/** What a confirmation says, besides the words of its template. None of it comes from the visitor. */
export interface ConfirmationValues {
  /** One of the environment's sites. */
  readonly site: string;
  readonly time: string;
  /** The beginning of the contact request's id. */
  readonly reference: string;
}

export interface Confirmation {
  readonly to: string;
  /** The name of the SES template. */
  readonly template: string;
  readonly values: ConfirmationValues;
}

/** `paused`: nothing is sent before someone resumes it. `no response`: nobody knows whether SES has sent it. */
export type SendOutcome = 'sent' | 'paused' | 'rejected' | 'no response';

/** @throws {LoggableError} if SES has sent nothing, and may do so later */
export type SendConfirmation = (confirmation: Confirmation) => Promise<SendOutcome>;

interface ConfirmationEmailOptions {
  readonly from: string;
  /** Where replies go. @defaultValue to `from` */
  readonly replyTo: string | undefined;
  readonly configurationSet: string;
}

/** Milliseconds for SES to accept a confirmation. */
const sendTimeout = 5_000;

/** With and without `Exception` at the end. */
const pausing = /^(?:ConfigurationSet|Account)SendingPaused/;

/** Errors about one email, also that SES is in its sandbox and does not know the address. */
const rejecting = ['MessageRejected', 'InvalidParameterValue'];

/**
 * Sends a confirmation by a template, whose words the role of the function cannot change. The older API of SES, since it grants
 * templates alone: docs/decisions.md#confirmations-by-templates-of-ses-and-its-older-api.
 * https://docs.aws.amazon.com/ses/latest/APIReference/API_SendTemplatedEmail.html
 * @param client must not retry: an email whose response was lost would come twice
 */
export const confirmationSender =
  (
    client: SESClient,
    { from, replyTo, configurationSet }: ConfirmationEmailOptions,
    timeoutAfter: TimeoutAfter,
  ): SendConfirmation =>
  async ({ to, template, values: { site, time, reference } }) => {
    const command = new SendTemplatedEmailCommand({
      Source: from,
      Destination: { ToAddresses: [to] },
      ...(replyTo !== undefined && { ReplyToAddresses: [replyTo] }),
      ConfigurationSetName: configurationSet,
      Template: template,
      TemplateData: JSON.stringify({ site, time, reference }),
    });
    try {
      await withDeadline(timeoutAfter(sendTimeout), (abortSignal) => client.send(command, { abortSignal }));
      return 'sent';
    } catch (error) {
      const name = errorName(error);
      if (pausing.test(name)) return 'paused';
      if (rejecting.includes(name)) return 'rejected';
      const { httpStatusCode: status = 500 } = error instanceof SESServiceException ? error.$metadata : {};
      if (status < 500) throw new LoggableError(`SES ${name}`);
      return 'no response';
    }
  };
