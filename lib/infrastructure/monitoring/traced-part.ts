/** The part of the requests that are traced (docs/decisions/0035). */
export const tracedPart = 0.01;
