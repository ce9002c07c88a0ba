import * as v from 'valibot';
import { refuse } from './intrinsics.ts';
import type { Resources } from './resources.ts';

/** A limit of a web ACL: an address that passes it is refused. */
export interface AddressLimit {
  readonly requests: number;
  readonly windowSeconds: number;
  /** Whether it counts a request. */
  readonly covers: (method: string, path: string) => boolean;
}

const regexMatch = v.object({
  RegexMatchStatement: v.strictObject({
    FieldToMatch: v.union([v.strictObject({ Method: v.object({}) }), v.strictObject({ UriPath: v.object({}) })]),
    RegexString: v.string(),
    TextTransformations: v.array(v.strictObject({ Priority: v.number(), Type: v.picklist(['NONE', 'URL_DECODE']) })),
  }),
});

const rateBased = v.strictObject({
  AggregateKeyType: v.literal('IP'),
  EvaluationWindowSec: v.number(),
  Limit: v.number(),
  ScopeDownStatement: v.optional(v.strictObject({ AndStatement: v.strictObject({ Statements: v.array(regexMatch) }) })),
});

const rule = v.object({
  Name: v.string(),
  Statement: v.union([
    v.strictObject({ RateBasedStatement: rateBased }),
    // AWS's own lists, which only AWS has.
    v.strictObject({ ManagedRuleGroupStatement: v.unknown() }),
  ]),
});

const decode = (path: string): string => {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
};

const coversOf = ({ ScopeDownStatement }: v.InferOutput<typeof rateBased>): AddressLimit['covers'] => {
  const matchers = (ScopeDownStatement?.AndStatement.Statements ?? []).map(({ RegexMatchStatement: statement }) => {
    const pattern = new RegExp(statement.RegexString);
    const isDecoded = statement.TextTransformations.some(({ Type }) => Type === 'URL_DECODE');
    return (method: string, path: string) => {
      const text = 'Method' in statement.FieldToMatch ? method : path;
      return pattern.test(isDecoded ? decode(text) : text);
    };
  });
  return (method, path) => matchers.every((matches) => matches(method, path));
};

/**
 * The limits of the template's web ACL, if there is one.
 * https://docs.aws.amazon.com/waf/latest/developerguide/waf-rule-statement-type-rate-based.html
 */
export const readAddressLimits = (resources: Resources): readonly AddressLimit[] => {
  const acls = resources('AWS::WAFv2::WebACL');
  const [second] = acls.slice(1);
  if (second) refuse(second.where, 'only one web ACL is supported');
  return acls.flatMap(({ get }) =>
    get('Rules', v.array(rule)).flatMap(({ Statement: statement }) => {
      if (!('RateBasedStatement' in statement)) return [];
      const { RateBasedStatement: rate } = statement;
      return { requests: rate.Limit, windowSeconds: rate.EvaluationWindowSec, covers: coversOf(rate) };
    }),
  );
};
