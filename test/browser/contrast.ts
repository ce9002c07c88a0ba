import type { Page } from 'playwright-core';

/** Two colours of a page that must differ, as the browser computed them. */
export interface ColourPair {
  readonly what: string;
  readonly ink: string;
  readonly paper: string;
  /** The least contrast ratio of WCAG 2.2, level AA: 4.5 for text, 3 for what marks a control. */
  readonly least: number;
}

/** The colours of everything that can be seen on a page: texts, the borders of fields, the mark of the focus. */
export const coloursOf = (page: Page): Promise<ColourPair[]> =>
  page.locator('body').evaluate((body) => {
    const { getComputedStyle, Node } = body.ownerDocument.defaultView;
    const pairs: ColourPair[] = [];
    for (const element of body.querySelectorAll('*:not(script, [aria-hidden=true] *)')) {
      if (!element.checkVisibility()) continue;
      const style = getComputedStyle(element);
      const paperOf = (start: typeof element): string => {
        const { backgroundColor } = getComputedStyle(start);
        return backgroundColor === 'rgba(0, 0, 0, 0)' ? paperOf(start.parentElement) : backgroundColor;
      };
      const what = `${element.localName} ${element.textContent.trim().slice(0, 40)}`;
      const isField = element.matches('input, select, textarea');
      const texts = [...element.childNodes].filter(
        (node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== '',
      );
      if (isField || texts.length > 0) pairs.push({ what, ink: style.color, paper: paperOf(element), least: 4.5 });
      const around = paperOf(element.parentElement);
      if (isField) pairs.push({ what: `${what} border`, ink: style.borderTopColor, paper: around, least: 3 });
      if (element.matches(':focus-visible') && style.outlineStyle !== 'none') {
        pairs.push({ what: `${what} focus`, ink: style.outlineColor, paper: around, least: 3 });
      }
    }
    return pairs;
  });

/** From 0, black, to 1, white: https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
export const luminance = (colour: string): number => {
  const match = /^rgb\((\d+), (\d+), (\d+)\)$/.exec(colour);
  if (!match) throw new Error(`"${colour}" is no opaque colour.`);
  const [red = 0, green = 0, blue = 0] = match.slice(1).map((channel) => {
    const value = Number(channel) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

/** The contrast ratio of two colours, from 1 to 21: https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
export const contrast = ({ ink, paper }: ColourPair): number => {
  const [darker = 0, lighter = 0] = [luminance(ink), luminance(paper)].sort((one, other) => one - other);
  return (lighter + 0.05) / (darker + 0.05);
};
