import * as v from 'valibot';
import { settings, text } from './setting-kinds.ts';

const hostname = v.pipe(
  text,
  v.regex(
    /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/,
    ({ input }) => `"${input}" is no host name in lower case, such as "contact.example.com"`,
  ),
);

interface Named {
  readonly name: string;
  readonly hostedZone?: { readonly name: string } | undefined;
}

const isInZone = ({ name, hostedZone }: Named) =>
  !hostedZone || name === hostedZone.name || name.endsWith(`.${hostedZone.name}`);

const customDomain = v.pipe(
  settings({
    name: hostname,
    /** A certificate for the name, in the stack's region: https://docs.aws.amazon.com/acm/latest/userguide/ */
    certificateArn: v.pipe(
      text,
      v.regex(
        /^arn:aws[a-z-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[\w-]+$/,
        ({ input }) => `"${input}" is no ARN of a certificate (arn:aws:acm:<region>:<account>:certificate/<id>)`,
      ),
    ),
    /** The Route 53 zone that gets the name's record; without it, you make a CNAME to the output `DomainTarget…`. */
    hostedZone: v.optional(
      settings({ id: v.pipe(text, v.regex(/^Z[A-Z0-9]+$/, 'must look like "Z0123456789ABC"')), name: hostname }),
    ),
  }),
  v.check((domain) => isInZone(domain), 'name is not in hostedZone.name'),
);

/** The custom domains of an environment. The base URL is at the last one. */
export const customDomains = v.pipe(
  v.array(customDomain, 'must be a list'),
  v.maxLength(2, 'are more than two names: two at a time, for a move from one to the other'),
);

/** A custom domain of the API. */
export type Domain = v.InferOutput<typeof customDomain>;

/** Output ids may only have letters and digits. */
const inWords = (name: string) => name.replaceAll(/(?:^|[.-])(.)/g, (_, letter: string) => letter.toUpperCase());

/** The output with the target of a domain's CNAME. */
export const targetOutput = ({ name }: Domain): string => `DomainTarget${inWords(name)}`;

interface DomainSettings {
  readonly region?: string | undefined;
  readonly customDomains: readonly Domain[];
  readonly defaultEndpoint: boolean;
}

/** What is wrong with an environment's domains as a whole, if something is: the first that is found. */
export const domainFault = ({
  region,
  customDomains: domains,
  defaultEndpoint,
}: DomainSettings): string | undefined => {
  for (const [at, { name, certificateArn }] of domains.entries()) {
    const path = `customDomains.${at}`;
    if (region && !certificateArn.includes(`:${region}:`))
      return `${path}.certificateArn: is of another region than the environment`;
    if (domains.findIndex((other) => inWords(other.name) === inWords(name)) < at)
      return `${path}.name: "${name}" is there before, or too much like what is`;
  }
  if (domains.length === 0 && !defaultEndpoint)
    return 'defaultEndpoint: needs customDomains, since nothing else would answer';
  return undefined;
};
