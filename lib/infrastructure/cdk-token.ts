// No import of the CDK, since the staff command reads settings, too. https://docs.aws.amazon.com/cdk/v2/guide/tokens.html

/** The CDK's stand-ins, within a text, for texts that only a deployment knows, such as an attribute of another resource of the app. */
export const tokenPattern = /\$\{Token\[[^\]]*\]\}/g;

/** Whether a value is a text with a stand-in. */
export const isToken = (value: unknown): boolean => typeof value === 'string' && value.search(tokenPattern) !== -1;

/** Whether a value is any stand-in: a text, the one item of a list, or a number, which no setting has. */
export const isAnyToken = (value: unknown): boolean =>
  typeof value === 'number'
    ? value < -1e280
    : isToken(value) || (typeof value === 'string' && value.startsWith('#{Token['));
