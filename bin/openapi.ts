// Writes the OpenAPI document: `npm run openapi`.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApiDocument } from '../lib/openapi/document.ts';

const root = join(import.meta.dirname, '..');

writeFileSync(join(root, 'openapi.json'), `${JSON.stringify(openApiDocument, undefined, 2)}\n`);
