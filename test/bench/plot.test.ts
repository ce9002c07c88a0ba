import { describe, expect, test } from 'vitest';
import { barChart } from '../../bench/plot/bars.ts';
import { lineChart } from '../../bench/plot/lines.ts';

/** The elements of a name, in their order: their attributes, and the text in them. */
const elements = (svg: string, name: string) =>
  [...svg.matchAll(new RegExp(`<${name}\\b([^>]*?)/?>([^<]*)`, 'g'))].map(([, attributes = '', content = '']) => {
    const values = new Map(
      [...attributes.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, value]),
    );
    return { content, number: (attribute: string) => Number(values.get(attribute)) };
  });

const textOf = (svg: string, content: string) => {
  const found = elements(svg, 'text').find((one) => one.content === content);
  if (!found) throw new Error(`No text "${content}".`);
  return found;
};

const bars = barChart({
  name: 'starts',
  title: 'Starts',
  subtitle: 'ms: less is better',
  format: (value) => `${value} ms`,
  bars: [
    { label: 'a & <b>', value: 80 },
    { label: 'ours', value: 20, isOurs: true },
  ],
});

const lines = lineChart({
  name: 'memory',
  title: 'Time by memory',
  subtitle: 'A model',
  x: { title: 'MB', isLog: true, ticks: [128, 256, 512] },
  y: { title: 'ms' },
  series: [
    {
      label: 'cold',
      points: [
        [128, 400],
        [256, 200],
        [512, 100],
      ],
    },
    {
      label: 'warm',
      points: [
        [128, 300],
        [256, 150],
        [512, 99],
      ],
    },
  ],
});

describe('a picture', () => {
  test.each([bars, lines])(
    '$name says what it shows, follows the scheme of its reader and loads nothing',
    ({ svg, title }) => {
      expect(elements(svg, 'title')).toMatchObject([{ content: title }]);
      expect(elements(svg, 'desc')).toHaveLength(1);
      expect(svg).toContain('role="img"');
      expect(svg).toContain('@media(prefers-color-scheme:dark)');
      expect(svg.replace('xmlns="http://www.w3.org/2000/svg"', '')).not.toMatch(/<script|href|url\(|@import|http/);
    },
  );

  test('has bars as long as their values, with label and value', () => {
    const [, first, second] = elements(bars.svg, 'rect');
    expect(first?.number('width')).toBeCloseTo(4 * (second?.number('width') ?? 0), 0);
    expect(textOf(bars.svg, '80 ms').number('y')).toBe(textOf(bars.svg, 'a &amp; &lt;b&gt;').number('y'));
    expect(textOf(bars.svg, '20 ms').number('y')).toBe(textOf(bars.svg, 'ours').number('y'));
  });

  test('has points where the axes say that they are', () => {
    const [, cold, coldest] = elements(lines.svg, 'circle');
    expect(cold?.number('cx')).toBe(textOf(lines.svg, '256').number('x'));
    expect(cold?.number('cy')).toBe(textOf(lines.svg, '200').number('y') - 4);
    expect(coldest?.number('cx')).toBe(textOf(lines.svg, '512').number('x'));
    expect(coldest?.number('cy')).toBe(textOf(lines.svg, '100').number('y') - 4);
  });

  test('multiplies along a logarithmic axis', () => {
    const [first = 0, second = 0, third = 0] = ['128', '256', '512'].map((tick) => textOf(lines.svg, tick).number('x'));
    expect(second - first).toBeCloseTo(third - second, 0);
  });

  test('keeps the labels of lines apart that end together', () => {
    const [cold, warm] = ['cold', 'warm'].map((label) => textOf(lines.svg, label).number('y'));
    expect(warm).toBeGreaterThanOrEqual((cold ?? 0) + 13);
  });
});
