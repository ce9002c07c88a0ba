import { isGiven, maxTextLength } from '../contacts/extra.ts';
import type { BodyFields } from '../http/body.ts';
import { formFields } from '../names/service-fields.ts';
import { isOfSites, type Sites } from '../pages/sites.ts';
import { isBlank, line } from '../shared/text.ts';

/** Characters. */
export const maxFormName = 64;

/** The rule of the name of a form, as its hidden field says it. */
export const formName = line(maxFormName);

interface FormNameInput {
  readonly value?: string;
  /** The field with a name that is none. It stays an extra field: visitors cannot mend what the owner hid. */
  readonly ignored?: string;
}

/** Reads the name of the form. Of several, the first counts. */
export const readFormName = (sent: BodyFields): FormNameInput => {
  const field = formFields.form.find((name) => isGiven(sent.get(name)));
  if (field === undefined) return {};
  const name = formName([sent.get(field)].flat().find((value) => !isBlank(value)));
  return 'error' in name ? { ignored: field } : { value: name.value };
};

/**
 * The URL, percent-encoded, if it is a page of one of the sites. Any other one would make the form an open redirect. Parsing a
 * long name of another host takes too long.
 */
const pageOfSite = (value: unknown, sites: Sites): string | undefined => {
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  const url = isOfSites(text, sites) ? URL.parse(text)?.href : undefined;
  return url !== undefined && url.length <= maxTextLength ? url : undefined;
};

interface ThankYouUrlInput {
  readonly url: string | undefined;
  /** The fields that hold a page of a site. */
  readonly fields: readonly string[];
  /** A field holds anything else. */
  readonly hasOther: boolean;
}

/** Reads the success page that the form asks for. */
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
