import * as v from 'valibot';
import { fileTypeNames } from '../../functions/files/type-names.ts';
import { checked, distinct, flag, oneOf, settings, wholeNumber } from './schemas.ts';

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html */
const bucketName = checked((value) =>
  /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(value) ? undefined : `${JSON.stringify(value)} is not the name of a bucket`,
);

/** Megabytes of 1,000,000 bytes that are stored in a day (UTC), at most. What a defence caught has a tenth of its own. */
const defaultDailyMegabytes = 1_000;

/** The setting `files` of an environment: contact requests can have files, in a bucket of the stack. */
export const filesOfEnvironment = settings(
  {
    dailyMegabytes: v.optional(wholeNumber(1_000_000, 10), defaultDailyMegabytes),
    /** Amazon GuardDuty scans each file for malware. */
    scan: v.optional(flag, true),
    /** The bucket of a destroyed stack. @defaultValue a new bucket */
    existingBucket: v.optional(bucketName),
  },
  ', as in { dailyMegabytes: 1000 }',
);

/** Files in one contact request, at most. Together they have to fit into a request. */
const defaultMax = 5;

const own = settings(
  {
    max: v.optional(wholeNumber(20), defaultMax),
    types: v.optional(
      v.pipe(
        distinct(oneOf(fileTypeNames), (name) => name, { example: ', as in ["pdf"]' }),
        v.nonEmpty('is empty: add a type, or remove this setting'),
      ),
      [...fileTypeNames],
    ),
  },
  ', or true, as in { max: 3, types: ["pdf"] }',
);

/** The setting `files` of a form: it accepts files. `true` stands for the defaults. */
export const filesOfForm = v.pipe(
  v.lazy((input) => (input === true ? v.literal(true) : own)),
  v.transform((given) => (given === true ? { max: defaultMax, types: [...fileTypeNames] } : given)),
);

interface Environment {
  readonly name: string;
  readonly forms: Readonly<Record<string, { readonly files?: unknown }>>;
  readonly files?: unknown;
  readonly webAcl: boolean;
  readonly spam: { readonly proofOfWork: string; readonly captcha?: unknown };
}

/** What files need of the other settings. */
export const errorOfFiles = ({ name, files, webAcl, spam }: Environment): string | undefined => {
  // `npm start` has neither bills nor a web ACL.
  if (files === undefined || name === 'local') return undefined;
  if (webAcl || spam.proofOfWork === 'mark' || spam.captcha !== undefined) return undefined;
  return 'requires a defence, or anyone could use up dailyMegabytes in seconds: spam: { proofOfWork: "mark" }, a captcha, or webAcl: true (docs/spam.md)';
};

/** The names of forms that accept files, in an environment that stores none. */
export const formsWithoutBucket = ({ files, forms }: Environment): string[] =>
  files === undefined ? Object.keys(forms).filter((form) => forms[form]?.files !== undefined) : [];
