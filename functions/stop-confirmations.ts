import { SESv2Client } from '@aws-sdk/client-sesv2';
import { stopSettings } from './notify/confirm-settings.ts';
import { stopConfirmations } from './notify/stop-confirmations.ts';
import { readVariables } from './shared/variables.ts';

const { configurationSet } = readVariables(stopSettings);

export const handler = stopConfirmations(new SESv2Client(), configurationSet);
