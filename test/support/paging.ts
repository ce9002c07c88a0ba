import type { ApiResponse, Call } from './call.ts';

/** The query parameters of a request. */
type Query = readonly (readonly [name: string, value: string])[];

/** The URL of the next page. */
const nextUrl = ({ headers }: ApiResponse): URL | undefined => {
  const link = headers['Link'];
  if (link === undefined) return undefined;
  const [, url] = /^<([^<>]+)>; rel="next"$/.exec(link) ?? [];
  if (url === undefined) throw new Error(`Not a link to a next page: ${link}`);
  return new URL(url);
};

/** The pages of a list, by their links. */
export async function* pagesOf(
  list: Call,
  query: Query,
  headers: Readonly<Record<string, string>> = {},
): AsyncGenerator<ApiResponse, undefined> {
  for (let next: Query | undefined = query; next; ) {
    const page = await list({ query: next, headers });
    yield page;
    const url = nextUrl(page);
    next = url && [...url.searchParams];
  }
}
