import { describe } from 'vitest';
import { testSync } from './sync.ts';

describe('sync.py', () => testSync({ name: 'sync.py', store: 'db', retryAfter: 0 }));
describe('sync.sh', () => testSync({ name: 'sync.sh', store: 'jsonl', retryAfter: 1 }));
