import { SESv2Client } from '@aws-sdk/client-sesv2';
import { stopConfirmations, stopSettings } from './notify/stop-confirmations.ts';
import { readVariables } from './shared/variables.ts';

const { configurationSet } = readVariables(stopSettings);

export const handler = stopConfirmations(new SESv2Client(), configurationSet);
