/** What import and first call of `create-contact` may take at most, in times what a peer takes. */
export const createTargets: Readonly<Record<string, number>> = {
  b: 0.65,
  middy: 0.65,
  Powertools: 0.5,
  Express: 0.5,
  'Hono, tuned': 0.85,
  floor: 2.1,
};

/** The same of the other functions behind the API, to b. */
export const otherTargets: Readonly<Record<string, number>> = {
  'list-contacts': 0.68,
  'get-contact': 0.65,
  'delete-contact': 0.68,
  'list-campaigns': 0.65,
  'get-campaign': 0.65,
  authorizer: 0.65,
};

/** What a bundle may have, and its import execute, in times that of b. */
export const sizeTargets = { bytes: 0.22, instructions: 0.47 } as const;

/** Import and first call of `create-contact` with a size of memory, in MB, in times that of middy. */
export const shareTargets: readonly { readonly size: number; readonly most: number }[] = [
  { size: 256, most: 0.42 },
  { size: 512, most: 0.52 },
  { size: 1024, most: 0.65 },
];
