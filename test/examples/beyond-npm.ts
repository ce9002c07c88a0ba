/** The tests of the scripts that need Python, or bash with curl and jq: `npm run test:examples`. */
export const beyondNpm = ['sync-py', 'sync-sh', 'campaigns'].map((name) => `test/examples/${name}.test.ts`);
