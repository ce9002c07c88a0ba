import * as v from 'valibot';
import { text } from './setting-kinds.ts';
import type { Named } from './stack-name.ts';

/** The tags of every stack of the service, by which others find it. */
export const ownTagsOf = ({ name, instance }: Named) => ({
  Service: 'contact-service',
  Environment: name,
  ...(instance !== undefined && { Instance: instance }),
});

const ownTags = Object.keys(ownTagsOf({ name: '', instance: '' }));

/** What every service of AWS takes: https://docs.aws.amazon.com/tag-editor/latest/userguide/best-practices-and-strats.html */
const characters = /^[\p{L}\p{N} _.:/=+@-]+$/u;

const allowed = 'letters, digits, spaces and _ . : / = + - @';

const keyFault = (key: string): string | undefined => {
  // Some services, as IAM, take keys that differ in case only for the same.
  const own = ownTags.find((each) => each.toLowerCase() === key.toLowerCase());
  if (own !== undefined) return `is the service's own: ${own} is what finds its stacks`;
  if (key.length > 128 || !characters.test(key)) return `is no key of a tag: up to 128 ${allowed}`;
  return /^aws:/i.test(key) ? 'begins with "aws:", which is for AWS alone' : undefined;
};

const value = v.pipe(
  text,
  v.check((input) => input.length <= 256 && characters.test(input), `must be 1 to 256 ${allowed}`),
);

/** Tags of one's own. A resource has 50 at most, and CloudFormation gives it some. */
export const tags = v.pipe(
  v.record(v.string(), value, 'must be an object, as in { CostCenter: "4711" }'),
  v.check((record) => Object.keys(record).length <= 40, 'are more than 40'),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const input = dataset.value;
    const keys = Object.keys(input);
    for (const key of keys) {
      const first = keys.find((each) => each.toLowerCase() === key.toLowerCase());
      const message =
        keyFault(key) ?? (first === key ? undefined : `is "${first}" again, for services that mind no case`);
      if (message !== undefined) {
        addIssue({ message, path: [{ type: 'object', origin: 'key', input, key, value: input[key] }] });
      }
    }
  }),
);
