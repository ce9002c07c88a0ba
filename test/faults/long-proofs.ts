/** Tests that work for long, or mount a disk, which only root may: they run with `npm run test:faults`. */
export const longProofs = ['test/local/host/store/full-disk.test.ts', 'test/acceptance/local/memory.test.ts'];
