// Writes the OpenAPI document, and the page of it: `npm run openapi`.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApiDocument } from '../lib/openapi/document.ts';
import { apiPage } from '../lib/openapi/page.ts';

const root = join(import.meta.dirname, '..');

writeFileSync(join(root, 'openapi.json'), `${JSON.stringify(openApiDocument, undefined, 2)}\n`);
writeFileSync(join(root, 'docs', 'api.md'), apiPage);
