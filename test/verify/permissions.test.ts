import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** The prefixes of IAM that are not the names of the clients. */
const prefixes: Readonly<Record<string, string>> = {
  'api-gateway': 'apigateway',
  'cloudwatch-logs': 'logs',
  'resource-groups-tagging-api': 'tag',
  'secrets-manager': 'secretsmanager',
  sesv2: 'ses',
};

/** IAM has methods for API Gateway. */
const methods: Readonly<Record<string, string>> = { GetAccount: 'GET', GetRestApis: 'GET', UpdateAccount: 'PATCH' };

/** The actions that the script calls itself, as `sqs:ListQueues`. */
const called = globSync('test/verify/*.ts').flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(/^import \{([^}]*)\} from '@aws-sdk\/client-([\w-]+)'/gm)].flatMap(
    ([, names = '', client = '']) =>
      [...names.matchAll(/\b(?:paginate(\w+)|([A-Z]\w+)Command)\b/g)].map(([, paged, sent]) => {
        const action = paged ?? sent ?? '';
        return `${prefixes[client] ?? client}:${methods[action] ?? action}`;
      }),
  ),
);

const [, section = ''] = readFileSync('docs/testing.md', 'utf8').split('### Its permissions');
const documented = section
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .flatMap((line) => {
    const [, services = '', actions = ''] = line.split('|');
    const [service] = services.match(/[a-z]+/) ?? [];
    return [...actions.matchAll(/`(?:([a-z]+):)?([A-Z]\w+)`/g)].map(
      ([, prefix, action]) => `${prefix ?? service}:${action}`,
    );
  });

test('docs/testing.md has each permission that the script needs', () => {
  expect(called.length).toBeGreaterThan(30);
  // The page allows everything for its own functions.
  const ofFunctions = ['UpdateFunctionConfiguration', 'PutFunctionConcurrency', 'DeleteFunctionConcurrency'];
  const needed = new Set(called.filter((action) => !ofFunctions.some((own) => action === `lambda:${own}`)));
  expect([...needed].filter((action) => !documented.includes(action))).toEqual([]);
});
