import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './temporary-folder.ts';

/** A file for `AWS_CONFIG_FILE` with the profile `mfa`, which asks for a code. */
export const profileWithCode = (): string => {
  const file = join(temporaryFolder(), 'config');
  const text = `[profile base]
aws_access_key_id=key
aws_secret_access_key=secret
[profile mfa]
role_arn=arn:aws:iam::123456789012:role/operator
source_profile=base
mfa_serial=arn:aws:iam::123456789012:mfa/ada
`;
  writeFileSync(file, text);
  return file;
};
