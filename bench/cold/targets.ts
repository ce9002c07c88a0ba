/** What import and first call of `contacts/create` may take at most, in times what a peer takes. */
export const createTargets: Readonly<Record<string, number>> = {
  b: 0.55,
  middy: 0.48,
  Powertools: 0.4,
  Express: 0.38,
  'Hono, tuned': 0.7,
  floor: 2.2,
};

/** The same of the other functions behind the API, to b.  */
export const otherTargets: Readonly<Record<string, number>> = {
  'contacts/list': 0.6,
  'contacts/get': 0.55,
  'contacts/delete': 0.55,
  'campaigns/list': 0.55,
  'campaigns/get': 0.55,
  authorizer: 0.55,
};

/** What a bundle may have, and its import execute, in times that of b. */
export const sizeTargets = { bytes: 0.4, instructions: 0.5 } as const;

/** Import and first call of `contacts/create` with a size of memory, in MB, in times that of middy. */
export const shareTargets: readonly { readonly size: number; readonly most: number }[] = [
  { size: 256, most: 0.27 },
  { size: 512, most: 0.36 },
  { size: 1024, most: 0.48 },
];
