import { isUnavailable } from '../../../functions/shared/availability.ts';
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
    return `No AWS credentials: set AWS_PROFILE to an existing profile, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (${message}).`;
  }
  if (refusedCredentials.has(name)) return `AWS refuses the credentials (${name}): renew them and try again.`;
  if (name === 'AccessDenied' || name === 'AccessDeniedException')
    return `These AWS credentials lack a permission: ${message}`;
  if (name === 'ResourceNotFoundException')
    return `A table or another part of this environment is missing: deploy the environment again, or restart the local service (${message}).`;
  // For example, an index is missing.
  if (name === 'ValidationException')
    return `A table of this environment is from another version of the service: deploy the environment again, or restart the local service (${message}).`;
  if (isUnavailable(error)) return `The environment is unreachable or too busy (${message}): try again later.`;
  return name === 'Error' ? `Failed: ${message}` : `Failed: ${name}: ${message}`;
};
