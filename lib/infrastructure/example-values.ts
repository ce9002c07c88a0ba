/** The domain of the examples (RFC 2606), by itself or below another label; not `my-example.com`, nor `example.com.au`. */
const exampleDomain = /(?<![\w-])example\.com(?![\w-]|\.\w)/i;

/** The paths of the settings that still hold the domain of the examples, as in `sites.0.origin`. */
export const exampleValues = (settings: unknown): string[] => {
  if (typeof settings === 'string') return exampleDomain.test(settings) ? [''] : [];
  if (typeof settings !== 'object' || settings === null) return [];
  return Object.entries(settings).flatMap(([name, value]) =>
    exampleValues(value).map((path) => (path === '' ? name : `${name}.${path}`)),
  );
};
