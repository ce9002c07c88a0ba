/** A bar chart: a file in docs/images/measured/. */
export interface Chart {
  /** Its file, without the extension. */
  readonly name: string;
  /** What it shows, also for people who do not see it. */
  readonly title: string;
  readonly svg: string;
}

export interface Bar {
  readonly label: string;
  readonly value: number;
  /** The value as people read it. */
  readonly text: string;
  /** Highlighted. */
  readonly isOurs?: boolean;
}

const width = 760;
const fontSize = 13;
const top = 72;
const rowHeight = 30;

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escaped = (text: string) => text.replaceAll(/[&<>"]/g, (mark) => escapes[mark] ?? mark);

/** An estimate, rather too wide: there is no font to ask. */
const widthOf = (text: string) => text.length * fontSize * 0.6;

const text = (x: number, y: number, content: string, attributes = '') =>
  `<text x="${x.toFixed(1)}" y="${y}" ${attributes}>${escaped(content)}</text>`;

const colours = (ground: string, ink: string, faint: string, bar: string, ours: string) =>
  `.ground{fill:${ground}}text{fill:${ink}}.faint{fill:${faint}}.bar{fill:${bar}}.ours{fill:${ours}}`;

/** The chart follows the light or dark scheme of its reader. */
const style = `text{font:${fontSize}px system-ui,-apple-system,"Segoe UI",Helvetica,Arial,sans-serif}
.title{font-size:16px;font-weight:600}.bold{font-weight:600}
${colours('#fff', '#1f2328', '#59636e', '#d1d9e0', '#0067a8')}
@media(prefers-color-scheme:dark){${colours('#0d1117', '#f0f6fc', '#9198a1', '#3d444d', '#62b5ec')}}`;

/** Bars below each other, in the order given. */
export const barChart = (name: string, title: string, subtitle: string, bars: readonly Bar[]): Chart => {
  const left = 32 + Math.max(...bars.map(({ label }) => widthOf(label)));
  const right = width - 32 - Math.max(...bars.map((bar) => widthOf(bar.text)));
  const most = Math.max(...bars.map(({ value }) => value));
  const height = top + bars.length * rowHeight + 10;
  const rows = bars.map((bar, index) => {
    const y = top + index * rowHeight;
    const length = ((right - left) * bar.value) / most;
    const weight = bar.isOurs ? 'class="bold"' : '';
    return [
      text(left - 10, y + 15, bar.label, `text-anchor="end" ${weight}`),
      `<rect class="${bar.isOurs ? 'ours' : 'bar'}" x="${left.toFixed(1)}" y="${y}" width="${length.toFixed(1)}" height="21" rx="2"/>`,
      text(left + length + 8, y + 15, bar.text, weight),
    ].join('');
  });
  return {
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
${rows.join('\n')}
</svg>
`,
  };
};
