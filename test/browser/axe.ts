import axe from 'axe-core';
import type { Page } from 'playwright-core';

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** The violations that axe finds on a page, and those that it misses: fields and a focus whose mark is hard to see. */
export const violationsOf = async (page: Page): Promise<string[]> => {
  await page.evaluate(axe.source);
  return page.locator('body').evaluate(async (body, tags) => {
    const { axe, getComputedStyle } = body.ownerDocument.defaultView;
    const results: axe.AxeResults = await axe.run({ runOnly: tags, resultTypes: ['violations'] });
    const errors = results.violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html}: ${failureSummary}`),
    );
    const { Color, getContrast } = axe.commons.color;
    const parse = (text: string) => {
      const colour = new Color();
      colour.parseString(text);
      return colour;
    };
    for (const element of body.querySelectorAll('input, select, textarea, :focus-visible')) {
      if (!element.checkVisibility() || element.closest('[aria-hidden=true]')) continue;
      const { outlineColor, borderTopColor } = getComputedStyle(element);
      const mark = element.matches(':focus-visible') ? outlineColor : borderTopColor;
      let around = element.parentElement;
      while (parse(getComputedStyle(around).backgroundColor).alpha === 0 && around !== body.parentElement) {
        around = around.parentElement;
      }
      const ratio = getContrast(parse(getComputedStyle(around).backgroundColor), parse(mark));
      // What WCAG 2.2 demands of the parts of a control, in 1.4.11.
      if (ratio < 3) errors.push(`The mark ${mark} of ${element.outerHTML} has a contrast of ${ratio}`);
    }
    return errors;
  }, tags);
};
