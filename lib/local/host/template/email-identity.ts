import * as v from 'valibot';
import { noEffect } from './properties.ts';
import type { ReadResources } from './resources.ts';

const emailIdentitySchema = v.strictObject({
  ConfigurationSetAttributes: noEffect,
  DkimAttributes: noEffect,
  DkimSigningAttributes: noEffect,
  EmailIdentity: v.string(),
  FeedbackAttributes: noEffect,
  MailFromAttributes: noEffect,
  Tags: noEffect,
});

/** Reads the template's identities of Amazon SES: addresses and domains, which count as confirmed on this machine. */
export const readEmailIdentities = (read: ReadResources): readonly string[] =>
  read('AWS::SES::EmailIdentity', emailIdentitySchema).map(({ properties }) => properties.EmailIdentity);
