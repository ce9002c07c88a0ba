import { type Axis, placed } from './axis.ts';
import {
  type Caption,
  fillClass,
  fontSize,
  lineClass,
  type Picture,
  picture,
  px,
  text,
  top,
  width,
  widthOf,
} from './picture.ts';

type Point = readonly [x: number, y: number];

export interface Series {
  readonly label: string;
  readonly points: readonly Point[];
}

export interface LineChart extends Caption {
  readonly x: Axis;
  readonly y: Axis;
  /** Four at most: more are not told apart. */
  readonly series: readonly Series[];
  /** What of the x axis stands out, such as what was chosen. */
  readonly marks?: readonly { readonly label: string; readonly x: number }[];
}

const bottom = 340;
const height = bottom + 60;
const lineHeight = fontSize + 4;

/** Points this few are marked each: more of them are a curve. */
const fewPoints = 20;

/** Places for labels, moved up as far as it takes for none to cover another. */
const apart = (places: readonly number[]): number[] => {
  const moved: number[] = [];
  let lowestFree = Number.POSITIVE_INFINITY;
  for (const [index, place] of [...places.entries()].toSorted(([, one], [, other]) => other - one)) {
    const free = Math.min(place, lowestFree);
    moved[index] = free;
    lowestFree = free - lineHeight;
  }
  return moved;
};

/** Lines over an axis, each with its label at its end. */
export const lineChart = ({ x, y, series, marks = [], ...caption }: LineChart): Picture => {
  const points = series.flatMap((one) => one.points);
  const across = placed(
    y,
    points.map(([, value]) => value),
    bottom,
    top + 24,
  );
  const left = 32 + Math.max(...across.ticks.map(({ label }) => widthOf(label)));
  const right = width - 30 - Math.max(...series.map(({ label }) => widthOf(label)));
  const along = placed(
    x,
    points.map(([value]) => value),
    left,
    right,
  );
  const ends = apart(series.map((one) => across.place(one.points.at(-1)?.[1] ?? 0)));

  const drawSeries = (one: Series, n: number) => {
    const places = one.points.map(([xValue, yValue]) => [px(along.place(xValue)), px(across.place(yValue))] as const);
    const circles = places.map(([cx, cy]) => `<circle class="${fillClass(n)}" cx="${cx}" cy="${cy}" r="4"/>`);
    return [
      `<path class="${lineClass(n)}" d="M${places.map((place) => place.join(' ')).join('L')}"/>`,
      ...(circles.length <= fewPoints ? circles : []),
      text(right + 12, (ends[n] ?? 0) + 4, one.label, `class="${fillClass(n)} bold"`),
    ];
  };

  return picture(caption, height, [
    text(20, top + 4, y.title, 'class="faint"'),
    text((left + right) / 2, bottom + 44, x.title, 'class="faint" text-anchor="middle"'),
    ...across.ticks.flatMap(({ at, label }) => [
      `<path class="line" d="M${px(left)} ${px(at)}H${px(right)}"/>`,
      text(left - 8, at + 4, label, 'class="faint" text-anchor="end"'),
    ]),
    ...along.ticks.flatMap(({ at, label }) => [
      `<path class="line" d="M${px(at)} ${bottom}v5"/>`,
      text(at, bottom + 20, label, 'class="faint" text-anchor="middle"'),
    ]),
    ...marks.map((mark) => `<path class="limit" d="M${px(along.place(mark.x))} ${bottom}V${top + 24}"/>`),
    ...series.flatMap(drawSeries),
    ...marks.map((mark) => text(along.place(mark.x) + 6, top + 38, mark.label, 'class="note"')),
  ]);
};
