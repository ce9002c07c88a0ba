import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { clientOptions, patience } from '../../staff/aws/client-options.ts';

/** Whose credentials the AWS SDK finds: an account; nobody's, when it finds none. */
export const callerAccount = async (region: string | undefined): Promise<string | undefined> => {
  const client = new STSClient({ ...clientOptions(patience), ...(region && { region }) });
  try {
    return (await client.send(new GetCallerIdentityCommand({}))).Account;
  } catch (error) {
    if (error instanceof Error && error.name === 'CredentialsProviderError') return undefined;
    throw error;
  } finally {
    client.destroy();
  }
};
