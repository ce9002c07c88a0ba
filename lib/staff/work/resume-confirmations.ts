import {
  GetConfigurationSetCommand,
  PutConfigurationSetSendingOptionsCommand,
  SESv2Client,
} from '@aws-sdk/client-sesv2';
import { confirmationIn } from '../../infrastructure/outputs.ts';
import { StaffError } from '../../shared/staff-error.ts';
import type { StaffEnvironment } from '../environment/staff-environment.ts';
import type { Result } from '../tool/command.ts';

/** Lets SES send confirmations again. */
export const resumeConfirmations = async ({ name, outputs, client }: StaffEnvironment): Promise<Result> => {
  const found = confirmationIn(outputs);
  if (!found) {
    throw new StaffError(`"${name}" sends no confirmations: set confirmation (see docs/confirmation.md) and deploy.`);
  }
  const ses = client(SESv2Client);
  const ConfigurationSetName = found.configurationSet;
  const { SendingOptions } = await ses.send(new GetConfigurationSetCommand({ ConfigurationSetName }));
  const isStopped = SendingOptions?.SendingEnabled === false;
  if (isStopped) {
    await ses.send(new PutConfigurationSetSendingOptionsCommand({ ConfigurationSetName, SendingEnabled: true }));
  }
  return {
    json: { environment: name, resumed: isStopped },
    status: () =>
      isStopped
        ? 'Confirmations are on again. An alarm can stop them again only after it has ended: look at its state in a day.'
        : 'Confirmations were not stopped.',
  };
};
