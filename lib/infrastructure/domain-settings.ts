import * as v from 'valibot';
import { flag, settings, text } from './setting-kinds.ts';

const hostname = v.pipe(
  text,
  v.regex(
    /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/,
    ({ input }) => `"${input}" is no host name in lower case, such as "contact.example.com"`,
  ),
);

const entries = {
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
};

interface Named {
  readonly name: string;
  readonly hostedZone?: { readonly name: string } | undefined;
}

const isInZone = ({ name, hostedZone }: Named) =>
  !hostedZone || name === hostedZone.name || name.endsWith(`.${hostedZone.name}`);

const notInZone = 'name is not in hostedZone.name';

/** The one name of an environment, or the first of two. */
export const customDomain = v.pipe(
  settings({
    ...entries,
    /** As the environment's `defaultEndpoint`, which came later. */
    defaultEndpoint: v.optional(flag, true),
  }),
  v.check((domain) => isInZone(domain), notInZone),
);

/** Names of an environment, each made by itself, so that one can go while the other stays. */
export const customDomains = v.array(
  v.pipe(
    settings(entries),
    v.check((domain) => isInZone(domain), notInZone),
  ),
  'must be a list',
);

/** A name of one's own for the API. */
export type Domain = v.InferOutput<typeof customDomains>[number];

export interface DomainSettings {
  readonly customDomain?: v.InferOutput<typeof customDomain> | undefined;
  readonly customDomains: readonly Domain[];
  readonly defaultEndpoint: boolean;
}

/** The environment's names: at the last one is the base URL. */
export const domainsOf = ({ customDomain: first, customDomains: others }: DomainSettings): readonly Domain[] => [
  ...(first ? [first] : []),
  ...others,
];

/** Whether the name that API Gateway gives goes on answering: forms on live pages may still post to it. */
export const defaultAnswers = ({ customDomain: first, defaultEndpoint }: DomainSettings): boolean =>
  defaultEndpoint && first?.defaultEndpoint !== false;

/** What is told apart in the id of an output: letters and digits. */
const inWords = (name: string) => name.replaceAll(/(?:^|[.-])(.)/g, (_, letter: string) => letter.toUpperCase());

/** The output that says to what a name's CNAME leads. */
export const targetOutput = (settings: DomainSettings, domain: Domain): string =>
  domain === settings.customDomain ? 'DomainTarget' : `DomainTarget${inWords(domain.name)}`;

/** What is wrong with an environment's names as a whole, if something is: the first that is found. */
export const domainFault = ({
  region,
  ...settings
}: DomainSettings & { readonly region?: string | undefined }): string | undefined => {
  const { customDomain: first, customDomains: others } = settings;
  const domains = domainsOf(settings);
  for (const [at, { name, certificateArn }] of domains.entries()) {
    const path = first
      ? ['customDomain', ...others.map((_, index) => `customDomains.${index}`)][at]
      : `customDomains.${at}`;
    if (region && !certificateArn.includes(`:${region}:`))
      return `${path}.certificateArn: is of another region than the environment`;
    if (domains.findIndex((other) => inWords(other.name) === inWords(name)) < at)
      return `${path}.name: "${name}" is there before, or too much like what is`;
  }
  if (domains.length > 2)
    return 'customDomains: are more than two names with customDomain: two at a time, for a move from one to the other';
  if (domains.length === 0 && !defaultAnswers(settings))
    return 'defaultEndpoint: needs customDomain or customDomains, since nothing else would answer';
  return undefined;
};
