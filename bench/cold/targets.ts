/** What import and first call of `create-contact` may take at most, in times what a peer takes. */
export const createTargets: Readonly<Record<string, number>> = {
  b: 0.75,
  middy: 0.7,
  Powertools: 0.55,
  Express: 0.55,
  'Hono, tuned': 0.85,
  floor: 2.4,
};

/** The same of the other functions behind the API, to b.  */
export const otherTargets: Readonly<Record<string, number>> = {
  'list-contacts': 0.8,
  'get-contact': 0.75,
  'delete-contact': 0.8,
  'list-campaigns': 0.75,
  'get-campaign': 0.75,
  authorizer: 0.75,
};

/** What a bundle may have, and its import execute, in times that of b. */
export const sizeTargets = { bytes: 0.4, instructions: 0.5 } as const;

/** Import and first call of `create-contact` with a size of memory, in MB, in times that of middy. */
export const shareTargets: readonly { readonly size: number; readonly most: number }[] = [
  { size: 256, most: 0.42 },
  { size: 512, most: 0.52 },
  { size: 1024, most: 0.65 },
];
