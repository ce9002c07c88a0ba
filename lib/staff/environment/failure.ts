import * as v from 'valibot';
import { isUnavailable } from '../../../functions/shared/availability.ts';
import { exportCommand, requestOf } from '../../shared/aws.ts';
import { StaffError } from '../../shared/staff-error.ts';
import { printable } from '../../shared/terminal-text.ts';

/** Error names of AWS services for credentials that are unknown, expired or sign wrongly. */
const refusedCredentials = new Set([
  'ExpiredToken',
  'ExpiredTokenException',
  'IncompleteSignature',
  'InvalidClientTokenId',
  'InvalidSignatureException',
  'SignatureDoesNotMatch',
  'UnrecognizedClientException',
]);

/** Something other than AWS responded, such as a login page. */
export const notAws = (): StaffError =>
  new StaffError('The response does not come from AWS. Check whether the network needs a login or a proxy.');

/** The SDK could not parse JSON or XML. */
const isUnparsable = (error: Error) => error.name === 'SyntaxError' || '$responseBodyText' in error;

const forbidden = v.object({ $metadata: v.object({ httpStatusCode: v.literal(403) }) });

/** What a network does to requests, by the code of its error, and what to do about it. */
const ofNetwork: readonly (readonly [code: RegExp, sentence: (message: string) => string])[] = [
  [
    // https://nodejs.org/docs/latest-v24.x/api/tls.html#x509-certificate-error-codes
    /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/,
    (message) =>
      `This machine does not trust the certificate (${message}). If a proxy opens TLS, set AWS_CA_BUNDLE to the file of its certificates.`,
  ],
  [/^ERR_PROXY_TUNNEL$/, (message) => `The proxy refuses the connection: check HTTPS_PROXY (${message}).`],
  [
    /^ENOTFOUND$/,
    (message) =>
      `AWS was not found (${message}). Behind a proxy, set HTTPS_PROXY, as in http://proxy.example.com:3128. Otherwise, try again later.`,
  ],
];

const describeNetworkError = (error: Error, message: string): string | undefined => {
  const code = 'code' in error ? String(error.code) : '';
  return ofNetwork.find(([pattern]) => pattern.test(code))?.[1](message);
};

/** The permission that AWS names in its error, as in `dynamodb:Query`. */
export const missingPermission = ({ message }: Error): string | undefined =>
  /not authorized to perform: ([\w-]+:\w+)/.exec(message)?.[1];

/** DynamoDB sends 400 with such a name, others have names of their own. */
const isDenied = (error: Error) => /^(AccessDenied|AuthorizationError)/.test(error.name) || v.is(forbidden, error);

/** Describes a failure in one line and says what to do; never a stack trace. */
export const describeFailure = (error: unknown): string => {
  if (!(error instanceof Error)) return `Failed: ${error}`;
  const { name } = error;
  // The SDK adds lines of its own.
  const message = printable(error.message.split('\n', 1)[0] ?? '');
  if (isUnparsable(error)) return notAws().message;
  // For a missing region, the SDK throws a plain Error.
  if (/^Region (is missing$|not accepted: region="")/.test(message))
    return 'No AWS region: set AWS_REGION, or a region in your AWS profile.';
  if (name === 'CredentialsProviderError') {
    const command = exportCommand(process.env);
    const remedy =
      command === undefined
        ? 'set AWS_PROFILE to an existing profile, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY'
        : `to take those of the AWS CLI, which asks for a code if it must, first run: ${command}`;
    return `No AWS credentials (${message}): ${remedy}`;
  }
  const ofTheNetwork = describeNetworkError(error, message);
  if (ofTheNetwork !== undefined) return ofTheNetwork;
  if (refusedCredentials.has(name)) return `AWS refuses the credentials (${name}): renew them and try again.`;
  if (isDenied(error))
    return `These AWS credentials lack ${missingPermission(error) ?? `a permission for ${requestOf(error)}`}: ${message}`;
  if (name === 'ResourceNotFoundException')
    return `A table or another part of this environment is missing: deploy the environment again, or restart the local service (${message}).`;
  // For example, an index is missing.
  if (name === 'ValidationException')
    return `A table of this environment is from another version of the service: deploy the environment again, or restart the local service (${message}).`;
  if (isUnavailable(error)) return `The environment is unreachable or too busy (${message}): try again later.`;
  return name === 'Error' ? `Failed: ${message}` : `Failed: ${name}: ${message}`;
};
