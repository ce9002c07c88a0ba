import { PutConfigurationSetSendingOptionsCommand, type SESv2Client } from '@aws-sdk/client-sesv2';
import { log } from '../shared/log.ts';

/** The action of alarms: SES sends nothing more by the configuration set until `crcs confirmations resume`. */
export const stopConfirmations = (client: SESv2Client, configurationSet: string) => async (): Promise<void> => {
  await client.send(
    new PutConfigurationSetSendingOptionsCommand({ ConfigurationSetName: configurationSet, SendingEnabled: false }),
  );
  log('warn', 'confirmations stopped');
};
