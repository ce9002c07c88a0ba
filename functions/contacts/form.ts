import * as v from 'valibot';
import type { BodyFields } from '../http/body.ts';
import { type Fault, faultFromMessage } from '../http/errors.ts';
import { isBlank, line } from '../shared/text.ts';
import { formFields } from './form-fields.ts';
import type { Sites } from './site.ts';

/** The name of a form, as its hidden field says it: at most 64 characters. */
export const formName = line(64);

/** The settings of a form: an entry of the setting `forms`. */
export const formSettings = v.object({
  name: v.string(),
  /** Names of required fields; `email|phone` requires one of the two. Absent: `defaultRequired`. */
  required: v.optional(v.array(v.string())),
  /** The thank-you page; absent: that of the site. */
  thankYouUrl: v.optional(v.string()),
});

export type FormSettings = Readonly<v.InferOutput<typeof formSettings>>;

/** The forms that have settings, by name. */
export type Forms = ReadonlyMap<string | undefined, FormSettings>;

export const formsByName = (forms: readonly FormSettings[]): Forms => new Map(forms.map((each) => [each.name, each]));

interface FormNameInput {
  readonly value?: string;
  readonly faults: readonly Fault[];
}

/** Reads the name of the form. */
export const readFormName = (sent: BodyFields): FormNameInput => {
  const field = formFields.form.find((name) => !isBlank(sent.get(name)));
  if (field === undefined) return { faults: [] };
  const { success, output, issues } = v.safeParse(formName, sent.get(field), { abortPipeEarly: true });
  return success ? { value: output, faults: [] } : { faults: [faultFromMessage(field, issues[0].message)] };
};

/** As long as any field that a form may send. */
const maxUrlLength = 2000;

/** The URL, percent-encoded, if it is a page of one of the sites. Any other one would make the form an open redirect. */
const pageOfSite = (value: unknown, sites: Sites): string | undefined => {
  if (typeof value !== 'string' || value.length > maxUrlLength) return undefined;
  const url = URL.parse(value);
  // A `blob:` URL, and one with a user name, has the site's origin, too.
  return url && sites.has(url.origin) && url.href.startsWith(`${url.origin}/`) ? url.href : undefined;
};

interface ThankYouUrlInput {
  readonly url: string | undefined;
  /** The fields that hold a page of a site. */
  readonly fields: readonly string[];
  /** A field holds anything else. */
  readonly hasOther: boolean;
}

/** Reads the thank-you page that the form asks for. */
export const readThankYouUrl = (sent: BodyFields, sites: Sites): ThankYouUrlInput => {
  const given = formFields.thankYouUrl.filter((name) => !isBlank(sent.get(name)));
  const fields = given.filter((name) => pageOfSite(sent.get(name), sites) !== undefined);
  const [first] = fields;
  return {
    url: first === undefined ? undefined : pageOfSite(sent.get(first), sites),
    fields,
    hasOther: fields.length < given.length,
  };
};
