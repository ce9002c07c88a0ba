import { createRequire } from 'node:module';

type Fields = Readonly<Record<string, unknown>>;

/** What is used of dynalite's db/index.js. */
interface DynaliteDb {
  /** @returns the error to answer if the request's condition does not hold */
  checkConditional(request: Fields, existing: Fields | undefined): { readonly body: Fields } | null | undefined;
}

/** What is used of dynalite's validations/putItem.js. */
interface PutItem {
  readonly types: Record<string, unknown>;
}

const parameter = 'ReturnValuesOnConditionCheckFailure';

/**
 * Lets dynalite, which ignores this parameter, answer a refused put with the item that was there. It checks the condition
 * while it holds the item's lock.
 */
export const returnRefusedItems = (): void => {
  const require = createRequire(import.meta.url);
  const putItem: PutItem = require('dynalite/validations/putItem');
  // Parameters without a type are dropped.
  putItem.types[parameter] = 'String';
  const db: DynaliteDb = require('dynalite/db');
  const check = db.checkConditional;
  db.checkConditional = (request, existing) => {
    const refusal = check(request, existing);
    if (!refusal || !existing || request[parameter] !== 'ALL_OLD') return refusal;
    return Object.assign(refusal, { body: { ...refusal.body, Item: existing } });
  };
};
