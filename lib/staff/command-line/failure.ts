import { isStoreUnavailable } from '../../../functions/shared/dynamodb.ts';
import { notAws } from '../aws/not-aws.ts';
import { printable } from './text.ts';

/** What AWS services answer when credentials are unknown, expired or wrongly signed with. */
const refusedCredentials = new Set([
  'ExpiredToken',
  'ExpiredTokenException',
  'IncompleteSignature',
  'InvalidClientTokenId',
  'InvalidSignatureException',
  'SignatureDoesNotMatch',
  'UnrecognizedClientException',
]);

/** What the SDK throws of JSON and of XML that it could not parse. */
const isNoAnswerOfAws = (error: Error) => error.name === 'SyntaxError' || '$responseBodyText' in error;

const isDenied = ({ name }: Error) => name === 'AccessDenied' || name === 'AccessDeniedException';

/** The line that a person reads about what went wrong, and what they can do; never a stack trace. */
export const describeFailure = (error: unknown): string => {
  if (!(error instanceof Error)) return `Failed: ${error}`;
  const { name } = error;
  // The SDK adds lines of its own.
  const message = printable(error.message.split('\n', 1)[0] ?? '');
  if (isNoAnswerOfAws(error)) return notAws().message;
  // The SDK throws a plain Error for it.
  if (/^Region (is missing$|not accepted: region="")/.test(message))
    return 'No AWS region: set AWS_REGION, or a region in your AWS profile.';
  if (name === 'CredentialsProviderError') {
    return `No AWS credentials: set AWS_PROFILE to a profile that there is, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (${message}).`;
  }
  if (refusedCredentials.has(name)) return `AWS refuses the credentials (${name}): renew them and try again.`;
  if (isDenied(error)) return `These AWS credentials may not do this: ${message}`;
  if (name === 'ResourceNotFoundException')
    return `A table of this environment is missing: deploy it again, or start the local service anew (${message}).`;
  if (name === 'QueueDoesNotExist') return `A queue of this environment is missing: deploy it again (${message}).`;
  // Such as an index that is not there.
  if (name === 'ValidationException')
    return `A table of this environment is of another version: deploy it again, or start the local service anew (${message}).`;
  if (isStoreUnavailable(error))
    return `The environment cannot be reached or is too busy (${message}): try again later.`;
  return name === 'Error' ? `Failed: ${message}` : `Failed: ${name}: ${message}`;
};
