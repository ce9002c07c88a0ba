import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';

/** A new folder. The run deletes it at the end. */
export const temporaryFolder = (): string => mkdtempSync(join(inject('scratch'), 'folder-'));
