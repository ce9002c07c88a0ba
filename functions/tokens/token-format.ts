/**
 * A token: a recognisable prefix, then 256 random bits in base64url. The prefix lets secret scanners find a leaked
 * token, and lets the gateway refuse anything else before code runs.
 */
export const tokenPrefix = 'crcs_';

const token = `${tokenPrefix}[A-Za-z0-9_-]{43}`;

/** What the `Authentication` header may hold: a token, alone or behind `Bearer`, in any case (RFC 9110, section 11.1). */
export const authenticationHeaderPattern = `^(?:[Bb][Ee][Aa][Rr][Ee][Rr] )?(${token})$`;
