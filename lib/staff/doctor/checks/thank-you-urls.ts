import { type Check, type Finding, note, wrong } from '../check.ts';
import { getPage, isLocal } from '../page.ts';
import { sitesOf, variablesActions } from '../variables.ts';

const lookAt = async (url: string): Promise<Finding[]> => {
  const page = await getPage(url);
  if (typeof page !== 'string') return [];
  return [
    (isLocal(url) ? note : wrong)(
      `The thank-you page ${url} does not answer: ${page}.`,
      'Repair the page, or set thankYouUrl (docs/settings.md).',
    ),
  ];
};

/** Whether visitors of plain forms come to a page. */
export const thankYouUrls: Check = {
  name: 'thank-you pages',
  actions: variablesActions,
  patience: 60_000,
  look: async (deployment) => {
    const urls = (await sitesOf(deployment)).flatMap(({ thankYouUrl }) => thankYouUrl ?? []);
    return (await Promise.all([...new Set(urls)].map(lookAt))).flat();
  },
};
