/** What each function has, in MB; Lambda gives CPU in proportion (docs/decisions/0039). */
export const memorySize = 512;
