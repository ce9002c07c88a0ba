import type { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import * as v from 'valibot';

/** An answer that says when it was given: RFC 9110, section 6.6.1. */
const dated = v.object({
  headers: v.object({ date: v.pipe(v.string(), v.transform(Date.parse), v.integer()) }),
});

/** The header has whole seconds, so that a clock within two seconds of it is as good as right. */
const tolerated = 2000;

/**
 * The time of AWS as a client's answers tell it, whatever this machine's clock says: what is released by a clock that is
 * minutes slow would be listed where a reader has been.
 */
export const clockOf = (client: CloudFormationClient): (() => Date) => {
  let ahead = 0;
  client.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      const answer = v.safeParse(dated, result.response);
      const offset = answer.success ? answer.output.headers.date - Date.now() : 0;
      ahead = Math.abs(offset) > tolerated ? offset : 0;
      return result;
    },
    { step: 'deserialize' },
  );
  return () => new Date(Date.now() + ahead);
};
