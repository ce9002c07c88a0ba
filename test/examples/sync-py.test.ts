import { testSync } from './sync.ts';

testSync({ name: 'sync.py', store: 'db', retryAfter: 0 });
