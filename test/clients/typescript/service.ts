import * as v from 'valibot';

/** The service under test. (Vitest has a BASE_URL of its own.) */
export const { SERVICE_URL: baseUrl, STAFF_TOKEN: staffToken } = v.parse(
  v.object({ SERVICE_URL: v.string(), STAFF_TOKEN: v.string() }),
  process.env,
);

/** The next page's cursor, from the header `Link` (RFC 8288). */
export const cursorOf = (response: Response): string | undefined => {
  const [, url] = /^<(.+)>; rel="next"$/.exec(response.headers.get('Link') ?? '') ?? [];
  return url === undefined ? undefined : (new URL(url).searchParams.get('cursor') ?? undefined);
};
