import { describe, expect, test } from 'vitest';
import { page, sectionOf, withSection } from '../../bench/page.ts';

const run = {
  at: new Date('2026-03-04T23:59:59.999Z'),
  machine: { cpu: 'a slow CPU', cores: 2, node: '24.0.0', packages: { esbuild: '0.28.2', 'aws-cdk-lib': '2.276.0' } },
  parts: [
    {
      title: 'Requests',
      tells: 'How many.',
      measurements: [
        {
          name: 'Creates',
          value: 1083.4,
          unit: 'requests/s',
          beside: { what: 'the same on the store', ratio: 0.594 },
        },
        { name: 'Deletes', value: 12, unit: 'requests/s' },
      ],
    },
    {
      title: 'Start',
      tells: 'How long.',
      pictures: [{ name: 'start', title: 'Start, first and later' }],
      measurements: [
        { name: 'First start', value: 1740, unit: 'ms' },
        { name: 'An answer', value: 9.27, unit: 'ms' },
        { name: 'CPU of it', value: 1.284, unit: 'CPU ms' },
        { name: 'Read for it', value: 75, unit: 'items' },
      ],
    },
    {
      title: 'Targets',
      tells: 'How near.',
      measurements: [
        {
          name: 'A create',
          value: 40,
          unit: 'ms',
          beside: { what: 'a bare one', ratio: 0.55 },
          target: { bound: '≤', value: 0.55 },
        },
        {
          name: 'A list',
          value: 40,
          unit: 'ms',
          beside: { what: 'a bare one', ratio: 0.56 },
          target: { bound: '≤', value: 0.55 },
        },
        { name: 'Deletes', value: 12, unit: 'requests/s', target: { bound: '≥', value: 13 } },
        { name: 'Reads', value: 12, unit: 'requests/s' },
      ],
    },
  ],
} as const;

describe('the page of the benchmarks', () => {
  const lines = page(run).split('\n');

  /** The lines under a heading, up to the next. */
  const under = (heading: string) => {
    const first = lines.indexOf(heading) + 1;
    const next = lines.findIndex((line, index) => index >= first && line.startsWith('#'));
    return lines.slice(first, next === -1 ? undefined : next);
  };

  test('names the day, the machine and the command', () => {
    const text = under('# Measured').join(' ');
    expect(text).toContain('`npm run bench` wrote this page on 2026-03-04 (UTC)');
    expect(text).toContain('with Node 24.0.0 on a slow CPU, 2 cores; `esbuild` 0.28.2, `aws-cdk-lib` 2.276.0.');
  });

  test('sets a figure beside what it is compared with', () => {
    expect(under('## Requests')).toEqual([
      '',
      'How many.',
      '',
      '| what | figure | ratio | to |',
      '|---|---:|---:|---|',
      '| Creates | 1,083 a second | × 0.59 | the same on the store |',
      '| Deletes | 12 a second |  |  |',
      '',
    ]);
  });

  test('has no column of ratios where there are none, and says each figure in its unit', () => {
    expect(under('## Start')).toEqual([
      '',
      'How long.',
      '',
      '![Start, first and later](images/measured/start.svg)',
      '',
      '| what | figure |',
      '|---|---:|',
      '| First start | 1.7 s |',
      '| An answer | 9.3 ms |',
      '| CPU of it | 1.28 ms of CPU |',
      '| Read for it | 75 items |',
      '',
    ]);
  });

  test('says of each target, for the ratio if there is one, whether it is met', () => {
    expect(under('## Targets')).toEqual([
      '',
      'How near.',
      '',
      '| what | figure | ratio | to | target |',
      '|---|---:|---:|---|---|',
      '| A create | 40 ms | × 0.55 | a bare one | ≤ × 0.55: met |',
      '| A list | 40 ms | × 0.56 | a bare one | ≤ × 0.55: missed |',
      '| Deletes | 12 a second |  |  | ≥ 13 a second: missed |',
      '| Reads | 12 a second |  |  |  |',
      '',
    ]);
  });
});

describe('a section that another command writes', () => {
  const mutants = (value: number) => ({
    title: 'Mutants',
    tells: 'How many.',
    measurements: [{ name: 'All', value, unit: 'share' } as const],
  });
  const written = withSection(page(run), mutants(0.9137));

  test('stands at the end, then where it stood', () => {
    expect(written).toBe(`${page(run)}
## Mutants

How many.

| what | figure |
|---|---:|
| All | 91.4 % |
`);
    expect(withSection(`${written}\n## Last\n`, mutants(0.95))).toBe(`${written.replace('91.4', '95')}\n## Last\n`);
  });

  test('is found again, as it stands', () => {
    expect(page(run) + sectionOf(written, 'Mutants')).toBe(written);
    expect(sectionOf(`${written}\n## Last\n`, 'Mutants')).toBe(sectionOf(written, 'Mutants'));
    expect(sectionOf(page(run), 'Mutants')).toBe('');
  });
});
