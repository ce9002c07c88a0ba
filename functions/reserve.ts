/** Left to a function for its answer when the store keeps it waiting, in milliseconds. */
export const reserve = 500;
