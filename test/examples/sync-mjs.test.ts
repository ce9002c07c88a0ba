import { testSync } from './sync.ts';

testSync({ name: 'sync.mjs', store: 'db', retryAfter: 0 });
