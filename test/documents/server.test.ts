import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { expect, test } from 'vitest';
import { neededSecrets } from '../../lib/local/needed-secrets.ts';
import { serverEnvironment } from '../../lib/local/server-environment.ts';
import { readServerSettings } from '../../lib/local/server-settings.ts';
import { serverWelcome } from '../../lib/local/server-welcome.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { blocksIn, sectionOf, tablesIn } from '../support/markdown.ts';

const document = readFileSync('docs/server.md', 'utf8');
const [written = ''] = blocksIn(sectionOf(document, 'Write your settings'), 'ts');
const [variables = ''] = blocksIn(sectionOf(document, 'Write your settings'), '');

test('docs/server.md shows what the service prints with the settings and the .env of the page', () => {
  const settings = readServerSettings(parseEnv(variables));
  const sites = [...written.matchAll(/origin: '([^']+)'/g)].map(([, origin = '']) => ({ origin }));
  const prod = {
    sites,
    webAcl: written.includes('webAcl: true'),
    notifications: { from: 'a@example.com', emails: ['b@example.com'] },
  };
  const { parsed, source } = serverEnvironment({ file: 'settings/environments.ts', environments: { prod } }, settings);
  const [shown] = blocksIn(sectionOf(document, 'Start it'), '');
  const printed = serverWelcome({
    ...settings,
    source,
    port: settings.PORT,
    inboxPort: settings.INBOX_PORT,
    sites: parsed.sites.map(({ origin }) => origin),
    hasAddressLimits: parsed.webAcl,
    missingSecrets: neededSecrets(parsed).map(({ name }) => name),
  });
  expect(shown).toContain(printed);
});

test('docs/server.md has the defaults of ports and addresses', () => {
  const { HOST, PORT, INBOX_PORT, ENVIRONMENT } = readServerSettings({ PUBLIC_URL: 'https://forms.example.com' });
  const [rows = []] = tablesIn(sectionOf(document, 'Variables'));
  const defaults = Object.fromEntries(rows.map(([name, , value]) => [name, value]));
  expect(defaults).toMatchObject({
    '`HOST`': HOST,
    '`PORT`': String(PORT),
    '`INBOX_PORT`': String(INBOX_PORT),
    '`ENVIRONMENT`': `\`${ENVIRONMENT}\``,
  });
});

test('the unit runs what npm start runs, and Caddy speaks to the default ports', () => {
  const unit = readFileSync('examples/server/contact-service.service', 'utf8');
  expect(/^ExecStart=\/usr\/bin\/(.*)$/m.exec(unit)?.[1]).toBe(packageJson.scripts.start);
  const { PORT, INBOX_PORT } = readServerSettings({ PUBLIC_URL: 'https://forms.example.com' });
  const upstreams = readFileSync('examples/server/Caddyfile', 'utf8').matchAll(/reverse_proxy 127\.0\.0\.1:(\d+)/g);
  expect([...upstreams].map(([, port]) => Number(port))).toEqual([PORT, INBOX_PORT]);
});
