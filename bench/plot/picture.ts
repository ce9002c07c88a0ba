import * as v from 'valibot';

/** A picture of the page, as a file of its own. */
export const pictureSchema = v.object({
  /** Its file, without the ending. */
  name: v.string(),
  /** What it shows, for those who do not see it. */
  title: v.string(),
  svg: v.string(),
});

export type Picture = v.InferOutput<typeof pictureSchema>;

/** What every picture says of itself. */
export interface Caption extends Pick<Picture, 'name' | 'title'> {
  /** What its axis counts, under or in the title: "ms, less is better". */
  readonly subtitle: string;
}

/** Pixels at its natural size. */
export const width = 760;
export const fontSize = 13;

/** Where the drawing begins, below title and subtitle. */
export const top = 72;

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (mark) => escapes[mark] ?? mark);

/** A place as an attribute has it. */
export const px = (value: number): string => String(Math.round(value * 10) / 10);

/** About as wide as a text is, a little more rather than less: no font is at hand to ask. */
export const widthOf = (text: string): number => text.length * fontSize * 0.56;

/**
 * A line of text.
 * @param rest further attributes
 */
export const text = (x: number, y: number, content: string, rest = ''): string =>
  `<text x="${px(x)}" y="${px(y)}"${rest && ` ${rest}`}>${escaped(content)}</text>`;

/**
 * The series' colours: told apart with every kind of colour blindness, after Okabe and Ito, and of a contrast of 4.5 to
 * the ground, so that labels can have them (https://jfly.uni-koeln.de/color/).
 */
const seriesColours = {
  light: ['#0067a8', '#b34a00', '#007a58', '#9a3f77'],
  dark: ['#62b5ec', '#f0a03c', '#35c996', '#e09cc4'],
};

const rules = (mode: keyof typeof seriesColours, [ground, ink, faint, line]: readonly string[]) =>
  [
    `.ground{fill:${ground}}`,
    `text{fill:${ink}}`,
    `.faint{fill:${faint}}`,
    `.line{stroke:${line}}`,
    `.limit{stroke:${ink}}`,
    `.note{stroke:${ground}}`,
    `.plain{fill:${line}}`,
    ...seriesColours[mode].map((colour, n) => `.s${n}{stroke:${colour}}.f${n}{fill:${colour}}`),
  ].join('');

/** How series differ besides their colour. */
const dashes = ['none', '7 4', '2 3', '9 3 2 3'];

/** The class of a line, and of a filled form or a label, of the nth series. */
export const lineClass = (n: number): string => `series s${n % dashes.length}`;
export const fillClass = (n: number): string => `f${n % dashes.length}`;

const style = `text{font:${fontSize}px system-ui,-apple-system,"Segoe UI",Helvetica,Arial,sans-serif}
.title{font-size:16px;font-weight:600}.bold,.note{font-weight:600}.note{paint-order:stroke;stroke-width:5;stroke-linejoin:round}
.line{stroke-width:1}.limit{stroke-width:1.5}.series{fill:none;stroke-width:2.5;stroke-linejoin:round}
${dashes.map((dash, n) => `.s${n}{stroke-dasharray:${dash}}`).join('')}
${rules('light', ['#fff', '#1f2328', '#59636e', '#d1d9e0'])}
@media(prefers-color-scheme:dark){${rules('dark', ['#0d1117', '#f0f6fc', '#9198a1', '#3d444d'])}}`;

/**
 * A picture that is readable on light and dark ground: it follows the page that shows it, or else the reader's system,
 * on a ground of its own. It runs nothing and loads nothing.
 */
export const picture = ({ name, title, subtitle }: Caption, height: number, drawn: readonly string[]): Picture => ({
  name,
  title,
  svg: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title desc">
<title id="title">${escaped(title)}</title>
<desc id="desc">${escaped(subtitle)}</desc>
<style>
${style}
</style>
<rect class="ground" width="${width}" height="${height}" rx="6"/>
${text(20, 30, title, 'class="title"')}
${text(20, 51, subtitle, 'class="faint"')}
${drawn.join('\n')}
</svg>
`,
});
