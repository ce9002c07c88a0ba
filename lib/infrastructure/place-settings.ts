import * as v from 'valibot';
import { text } from './setting-kinds.ts';

/** Where an environment is, and what its stack is called, which the staff command asks, too. */
export const placeSettings = {
  /** The account that it is deployed to. @defaultValue that of the credentials */
  account: v.optional(v.pipe(text, v.regex(/^\d{12}$/, 'must be 12 digits'))),
  /** The region that it is deployed to. @defaultValue that of the credentials' profile or `AWS_REGION` */
  region: v.optional(v.pipe(text, v.regex(/^[a-z]{2,4}(?:-[a-z]+)+-\d$/, 'must be a region such as "eu-central-1"'))),
  /** Tells several services of one account and region apart: a part of the stack's name. @defaultValue there is one */
  instance: v.optional(
    v.pipe(text, v.regex(/^[a-z][a-z0-9]{0,19}$/, 'must be a lower-case letter, then up to 19 letters or digits')),
  ),
};
