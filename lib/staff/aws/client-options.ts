/** Long enough for a slow line, short enough not to be taken for work, in milliseconds. */
export const patience = 10_000;

/** What a client of AWS is made with that has this long for an answer to begin; `limitBody` bounds the rest of it. */
export const clientOptions = (requestTimeout: number) => ({
  requestHandler: { connectionTimeout: 3000, requestTimeout, throwOnRequestTimeout: true },
});
