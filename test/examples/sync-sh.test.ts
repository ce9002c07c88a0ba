import { testSync } from './sync.ts';

testSync({ name: 'sync.sh', store: 'jsonl', retryAfter: 1 });
