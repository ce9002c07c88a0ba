import { baseUrlsOf, formPath } from '../addresses.ts';
import { type Check, type Finding, note, wrong } from '../check.ts';
import type { Deployment } from '../deployment.ts';
import { getPage, isLocal, type Page } from '../page.ts';
import { sitesOf, variablesActions } from '../variables.ts';

/** How many pages and scripts of a site are looked at, besides its first page. */
const most = 20;

/** How many sites are looked at at a time: memory holds all that is read of each, up to a megabyte a page. */
const atOnce = 8;

/** As far as URLs go: what stands in an attribute or a script. */
const plain = (text: string) => text.replaceAll(/&amp;/g, '&').replaceAll(/&#(?:47|x2f);|\\\//gi, '/');

// What a site sends may be meant to keep this busy: each expression passes over a text once, whatever stands in it.
const attribute = (tag: string, name: string) =>
  new RegExp(`<${tag}\\b[^<>]*?\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'gi');

/** What cannot be a page. */
const isFile = ({ pathname }: URL) => /\.(?!html?$|php$|aspx?$)[a-z0-9]{2,5}$/i.test(pathname);

/** The pages and scripts of its own origin that a page leads to, scripts first. */
const linkedFrom = ({ url, text }: Page): readonly string[] => {
  const urls = (tag: string, name: string) =>
    [...text.matchAll(attribute(tag, name))].flatMap(([, double, single, bare]) => {
      const value = plain(double ?? single ?? bare ?? '');
      return URL.canParse(value, url) ? [new URL(value, url)] : [];
    });
  const all = [...urls('script', 'src'), ...urls('a', 'href').filter((each) => !isFile(each))];
  const { origin } = new URL(url);
  const hrefs = all.flatMap((each) => (each.origin === origin ? [each.href.replace(/#.*$/, '')] : []));
  return [...new Set(hrefs)].filter((href) => href !== url);
};

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Whether a page or a script names one of the URLs. */
const names = ({ text }: Page, urls: readonly string[]) =>
  urls.some((url) => new RegExp(`${escaped(url)}(?![\\w.-])`, 'i').test(plain(text)));

/** Where pages post to that have this service's path and not its URL. */
const elsewhereIn = ({ text }: Page): readonly string[] =>
  [
    ...plain(text).matchAll(
      new RegExp(`https?://(?:(?!https?://)[^\\s"'<>\`]){1,300}(?=${escaped(formPath)}\\b)`, 'gi'),
    ),
  ].map(([url]) => url);

/** Whether a page has the one field that every contact request has. */
const hasForm = ({ text }: Page) => /<form\b/i.test(text) && /\sname\s*=\s*["']?message["'\s/>]/i.test(text);

/** The first page of a site, or why there is none. */
const firstOf = async (origin: string): Promise<Page | string> => {
  const page = await getPage(origin);
  return typeof page === 'string' || page.type.includes('html') ? page : `it answers ${page.type || 'no HTML'}`;
};

const lookAt = async (origin: string, deployment: Deployment): Promise<Finding[]> => {
  const urls = baseUrlsOf(deployment);
  const action = `Its action is ${urls[0]}${formPath} (docs/forms.md).`;
  const first = await firstOf(origin);
  if (typeof first === 'string') {
    return [
      (isLocal(origin) ? note : wrong)(
        `The site ${origin} does not answer with a page: ${first}.`,
        'Repair the site, or take it out of sites (docs/settings.md).',
      ),
    ];
  }
  const linked = linkedFrom(first);
  const others = await Promise.all(linked.slice(0, most).map(getPage));
  const pages = [first, ...others.filter((page) => typeof page !== 'string')];
  if (pages.some((page) => names(page, urls))) return [];
  const [elsewhere] = pages.flatMap(elsewhereIn);
  if (elsewhere !== undefined) return [wrong(`The form of ${origin} points to ${elsewhere}.`, action)];
  const [form] = pages.filter(hasForm);
  if (form) return [wrong(`The form of ${form.url} does not point here.`, action)];
  return [
    note(
      `No page of ${origin} that was looked at points here: its first, and ${Math.min(linked.length, most)} that it leads to.`,
      `Is there a form further on? ${action}`,
    ),
  ];
};

/** Whether each site answers with a page, and has a form that posts here. */
export const sites: Check = {
  name: 'sites',
  actions: variablesActions,
  patience: 120_000,
  look: async (deployment) => {
    const findings: Finding[][] = [];
    const queue = (await sitesOf(deployment)).entries();
    const lookAtSome = async () => {
      for (const [place, { origin }] of queue) findings[place] = await lookAt(origin, deployment);
    };
    await Promise.all(Array.from({ length: atOnce }, lookAtSome));
    return findings.flat();
  },
};
