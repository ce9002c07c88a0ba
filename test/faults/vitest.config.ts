import { defineConfig } from 'vitest/config';
import { isolate } from '../../lib/local/host/isolation.ts';
import { longProofs } from './long-proofs.ts';

// Before the tests' own processes start: these inherit what is left.
isolate(process.env);

export default defineConfig({ test: { include: longProofs, testTimeout: 120_000, hookTimeout: 60_000 } });
