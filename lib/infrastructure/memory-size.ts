/**
 * What a function has whose answer somebody waits for, in MB: Lambda gives CPU in proportion, and a cold start is little
 * but CPU (docs/decisions.md).
 */
export const memorySize = 1_024;
