import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { assumptions, costOf, estimate, offerOf } from '../../lib/costs/estimate.ts';
import { costOfFlood, floodsAt } from '../../lib/costs/flood.ts';
import { prices, vendors } from '../../lib/costs/prices.ts';
import { parseEnvironment } from '../../lib/infrastructure/settings.ts';
import { runCommand } from '../staff/staff.ts';
import { environments } from '../support/environments.ts';

const root = join(import.meta.dirname, '..', '..');
const page = readFileSync(join(root, 'docs', 'costs.md'), 'utf8');

/** What the page is about. */
const prod = parseEnvironment('prod', environments.prod);

/** The commands that the page shows, each with the arguments that it gives. */
const shown = [...page.matchAll(/^npx crcs costs(?: (.+))?$/gm)].map(([, args = '']) => args);

const costs = (args: readonly string[]) => runCommand(['costs', ...args]);

const workload = {
  contacts: 1_000_000,
  lists: 0,
  fetches: 0,
  deletes: 0,
  keptMonths: 1,
  waf: false,
  email: false,
  webhook: false,
};

/** The amount of each part by its name. */
const amounts = (change: Partial<typeof workload>) =>
  new Map(estimate({ ...workload, ...change }, prod).map(({ name, quantity }) => [name, quantity]));

describe('the page', () => {
  it('shows the default volumes, another volume, a flood and the sources', () => {
    expect(shown).toEqual(['', '--contacts 10000 --lists 1000 --email --webhook', '--flood --waf', '--sources']);
  });

  it.each(shown)('holds what the command prints: %s', async (args) => {
    const { stdout } = await costs(args.split(' ').filter(Boolean));
    expect(page).toContain(`\n${stdout}`);
  });
});

/** What the command prints for programs. */
const figures = async (...args: string[]) => JSON.parse((await costs([...args, '--json'])).stdout);

describe('for programs it prints', () => {
  it('the parts of a month, their sum, and what others take', async () => {
    const { dollars, parts, others } = await figures('--contacts', '10000');
    const expected = estimate({ ...workload, contacts: 10_000, lists: 10_000, keptMonths: 12 }, prod);
    expect(parts).toEqual(
      expected.map((part) => ({
        name: part.name,
        quantity: part.quantity,
        unit: part.price.unit,
        dollars: costOf(part),
      })),
    );
    expect(dollars).toBeCloseTo(expected.reduce((sum, part) => sum + costOf(part), 0));
    expect(others).toHaveLength(vendors.length);
  });

  it('the floods', async () => {
    const { floods } = await figures('--flood', '--waf');
    expect(floods).toEqual(floodsAt(prod).map((flood) => ({ ...flood, ...costOfFlood(flood, true, prod) })));
  });

  it('the sources', async () => {
    expect(await figures('--sources')).toMatchObject({ prices, assumptions });
  });
});

it('says what is missing where no settings name prod', async () => {
  const loadSettings = async () => ({ file: 'settings/environments.ts', environments: {} });
  expect(await runCommand(['costs'], { loadSettings })).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'The costs are those of the environment "prod", which the settings do not name (settings/environments.ts): write its settings into a file, and name that by CRCS_SETTINGS (docs/settings.md).\n',
  });
});

describe('the estimate', () => {
  it('counts a write in the table and one in the index for each contact request, and again for each delete', () => {
    const before = amounts({});
    const after = amounts({ deletes: 1000 });
    expect(before.get('Store: writes')).toBe(1_000_000);
    expect(before.get('Index: writes')).toBe(1_000_000);
    expect(after.get('Store: writes')).toBe(1_001_000);
    expect(after.get('Index: writes')).toBe(1_001_000);
  });

  it('keeps in store what the months gathered, in the table and in the index', () => {
    const [month, year] = [amounts({ keptMonths: 1 }), amounts({ keptMonths: 12 })];
    for (const part of ['Store: kept', 'Store: backup', 'Index: kept']) {
      expect(year.get(part), part).toBeCloseTo(12 * (month.get(part) ?? Number.NaN));
    }
  });

  it('counts two calls for a request of staff: the authorizer and the handler', () => {
    expect(amounts({ lists: 5 }).get('Functions: calls')).toBe(1_000_005 + 5);
  });

  it('adds a firewall and notifications only where they are asked for', () => {
    const named = (change: Partial<typeof workload>) =>
      [...amounts(change).keys()].filter((name) => /WAF|Noti/.test(name));
    expect(named({})).toEqual([]);
    expect(named({ waf: true })).toEqual(['WAF: web ACL', 'WAF: rules', 'WAF: requests']);
    const path = ['pipe', 'topic', 'queues', 'idle queues', 'calls', 'time', 'reads'];
    const notifications = (...parts: string[]) => [...path, ...parts].map((part) => `Notifications: ${part}`);
    expect(named({ email: true })).toEqual(notifications('e-mail'));
    expect(named({ webhook: true })).toEqual(notifications('secret'));
    expect(named({ email: true, webhook: true })).toEqual(notifications('e-mail', 'secret'));
  });

  it('takes a contact request through pipe and topic once, and through a queue and a function for each target', () => {
    const { contacts } = workload;
    const both = amounts({ email: true, webhook: true });
    expect(both.get('Notifications: pipe')).toBe(contacts);
    expect(both.get('Notifications: topic')).toBe(contacts);
    expect(both.get('Notifications: queues')).toBe(3 * 2 * contacts);
    expect(both.get('Notifications: calls')).toBe(2 * contacts);
    expect(both.get('Notifications: reads')).toBe(2 * contacts);
  });

  it('polls a queue without a message five times in twenty seconds', () => {
    const idle = estimate({ ...workload, contacts: 0, email: true }, prod).find(({ name }) =>
      name.endsWith('idle queues'),
    );
    expect(idle?.quantity).toBe(5 * 3 * 60 * 24 * 30);
    expect(idle && costOf(idle)).toBeCloseTo(0.2592);
  });

  it('multiplies an amount by the price of its unit', () => {
    const email = estimate({ ...workload, contacts: 10_000, email: true }, prod).find(({ name }) =>
      name.endsWith('e-mail'),
    );
    expect(email && costOf(email)).toBe(1);
  });
});

describe('a flood', () => {
  const cost = (change: Partial<ReturnType<typeof floodsAt>[number]>, waf = false) =>
    costOfFlood({ name: 'a flood', ...change }, waf, prod);

  it('costs nothing without a request: what is fixed is no part of it', () => {
    expect(cost({}, true)).toMatchObject({ ordinary: { day: 0, kept: 0 }, largest: { day: 0, kept: 0 } });
  });

  it('costs in a day a thirtieth of what as many cost in a month', () => {
    const month = estimate({ ...workload, contacts: 30 * 86_400 }, prod);
    const idle = estimate({ ...workload, contacts: 0 }, prod);
    const total = (parts: typeof month) => parts.reduce((sum, part) => sum + costOf(part), 0);
    const { day, kept } = cost({ stored: 1 }).ordinary;
    expect(30 * (day + kept)).toBeCloseTo(total(month) - total(idle));
  });

  it('costs more when it sends the largest: the writes and what is kept, by their size', () => {
    const { ordinary, largest } = cost({ stored: 20 });
    expect(largest.largest).toBe('Store: writes');
    expect(largest.kept).toBeGreaterThan(20 * ordinary.kept);
    expect(largest.day).toBeGreaterThan(4 * ordinary.day);
  });

  it('costs little above a throttle that holds, but for the web ACL, which inspects every request', () => {
    const [held, twice] = [cost({ stored: 20 }, true), cost({ stored: 20, throttled: 20 }, true)];
    const free = cost({ stored: 20, throttled: 20 });
    expect(twice.ordinary.day - held.ordinary.day).toBeLessThan(2);
    expect(
      twice.ordinary.day - held.ordinary.day - (free.ordinary.day - cost({ stored: 20 }).ordinary.day),
    ).toBeCloseTo((20 * 86_400 * 0.6) / 1_000_000);
  });

  it('is compared at the throttles of prod and at the rate of the web ACL', () => {
    const stored = floodsAt(prod).map((flood) => flood.stored);
    expect(stored).toContain(prod.throttles.public.rate);
    expect(stored).toContain(100 / 300);
  });
});

describe('the vendors', () => {
  const vendor = (name: string) => {
    const found = vendors.find((one) => one.name === name);
    if (!found) throw new Error(`There is no vendor ${name}.`);
    return found;
  };

  it('are taken at the cheapest plan that is large enough', () => {
    expect(offerOf(vendor('Web3Forms'), 250)?.name).toBe('Free');
    expect(offerOf(vendor('Web3Forms'), 251)?.name).toBe('Pro');
    expect(offerOf(vendor('Web3Forms'), 20_001)).toBeUndefined();
  });

  it('may sell submissions that do not expire', () => {
    expect(offerOf(vendor('Formspark'), 10_000)?.dollars).toBe(5);
  });
});

describe('the command', () => {
  it.each([
    ['--contacts', '0'],
    ['--contacts', 'many'],
    ['--contacts', '1.5'],
    ['--contacts', '-1'],
    ['--contacts'],
    ['--lists', '1e3'],
    ['--kept-months', '0'],
    ['--waf=yes'],
    ['--firewall'],
    ['1000'],
  ])('refuses a mistake in one line: %s %s', async (...args) => {
    expect(await costs(args.filter((argument) => argument !== undefined))).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^[^\n]+\n$/),
    });
  });

  it('names all that is wrong at once', async () => {
    expect(await costs(['--contacts', '0', '--lists', 'many'])).toMatchObject({
      stderr:
        '--contacts: Use a whole number from 1 on, such as 10000. --lists: Use a whole number from 0 on, such as 10000.\n',
    });
  });
});
