import { SettingsError } from '../settings-error.ts';

/** What Lambda takes of all variables of a function: https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
const maxBytes = 4096;

/** What AWS names when it is deployed, in the place of which the CDK writes this; the names that it makes are shorter. */
const later = { pattern: /\$\{Token\[[^\]]*\]\}/g, name: 'x'.repeat(160) };

/** What to do about the variables that settings fill. */
const advice: Readonly<Record<string, string>> = {
  SITES: 'shorten thankYouUrl of its sites, or give some sites an environment of their own',
  QUEUES: 'name fewer targets in notifications',
  TARGETS: 'shorten the URLs of webhooks in notifications, or name fewer targets',
};

/** As Lambda measures: as JSON, quotation marks escaped. */
const bytesOf = (variables: Readonly<Record<string, string>>) =>
  Buffer.byteLength(JSON.stringify(variables).replace(later.pattern, later.name));

/**
 * Lambda refuses more in the middle of a deployment.
 * @throws {SettingsError} a line that says what to shorten
 */
export const refuseTooManyVariables = (
  stack: string,
  handler: string,
  variables: Readonly<Record<string, string>>,
): void => {
  const bytes = bytesOf(variables);
  if (bytes <= maxBytes) return;
  const ofEach = Object.entries(variables).map(([name, value]) => ({ name, bytes: bytesOf({ [name]: value }) }));
  const [largest] = ofEach.toSorted((one, other) => other.bytes - one.bytes);
  const number = (value = 0) => value.toLocaleString('en');
  throw new SettingsError(
    `${stack}: the variables of the function ${handler} are ${number(bytes)} bytes, ${number(largest?.bytes)} of them ${largest?.name}, and Lambda takes ${number(maxBytes)}: ${advice[largest?.name ?? ''] ?? 'shorten what it is made of'}`,
  );
};
