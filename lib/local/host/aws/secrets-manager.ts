import * as v from 'valibot';
import type { Clock } from '../clock.ts';
import type { SecretDefinition } from '../template/secret-definition.ts';
import { openSecretFile, type SecretVersion } from './secret-file.ts';
import { fault, notServed, type ServiceAnswer, type ServiceCall } from './service-call.ts';

const getSchema = v.strictObject({
  SecretId: v.string(),
  VersionStage: v.optional(v.picklist(['AWSCURRENT', 'AWSPREVIOUS']), 'AWSCURRENT'),
});

const putSchema = v.strictObject({
  SecretId: v.string(),
  /** The SDK makes one for each call, and sends it again when it tries again. */
  ClientRequestToken: v.string(),
  SecretString: v.pipe(v.string(), v.nonEmpty(), v.maxLength(65_536)),
});

const notFound = (what: string) =>
  fault(400, 'ResourceNotFoundException', `Secrets Manager can't find the specified ${what}.`);

/**
 * AWS Secrets Manager for the template's secrets: GetSecretValue and PutSecretValue.
 * https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_PutSecretValue.html
 * @throws {Error} one line, when the secrets that are kept cannot be read
 */
export const createSecretsManager = async (
  dataDir: string,
  definitions: readonly SecretDefinition[],
  clock: Clock,
): Promise<ServiceCall> => {
  const file = await openSecretFile(dataDir, definitions, clock.now());

  /** A secret of the template, by its name or ARN, and what is kept of it. */
  const find = (secretId: string) => {
    const definition = definitions.find(({ name, arn }) => secretId === name || secretId === arn);
    const values = definition && file.find(definition.name);
    return values && { ...definition, values };
  };

  const get = ({ SecretId, VersionStage }: v.InferOutput<typeof getSchema>): ServiceAnswer => {
    const secret = find(SecretId);
    if (!secret) return notFound('secret');
    const { current, previous } = secret.values;
    const version = VersionStage === 'AWSCURRENT' ? current : previous;
    if (!version) return notFound(`secret value for staging label: ${VersionStage}`);
    const body = {
      ARN: secret.arn,
      CreatedDate: version.createdAt / 1000,
      Name: secret.name,
      SecretString: version.value,
      VersionId: version.id,
      VersionStages: [VersionStage],
    };
    return { status: 200, body };
  };

  /** The new value becomes `AWSCURRENT`, the one before it `AWSPREVIOUS`; the one before that has no label any more. */
  const put = async ({ SecretId, ClientRequestToken: id, SecretString: value }: v.InferOutput<typeof putSchema>) => {
    const secret = find(SecretId);
    if (!secret) return notFound('secret');
    const { current, previous } = secret.values;
    const done = (VersionStages: string[]) => ({
      status: 200,
      body: { ARN: secret.arn, Name: secret.name, VersionId: id, VersionStages },
    });
    const earlier = [current, previous].find((version) => version?.id === id);
    if (earlier) {
      return earlier.value === value
        ? done([earlier === current ? 'AWSCURRENT' : 'AWSPREVIOUS'])
        : fault(400, 'ResourceExistsException', 'A version of this secret has that token, and another value.');
    }
    const made: SecretVersion = { id, value, createdAt: clock.now() };
    await file.keep(secret.name, { current: made, previous: current });
    return done(['AWSCURRENT']);
  };

  return (target, body) => {
    switch (target) {
      case 'secretsmanager.GetSecretValue': {
        const input = v.safeParse(getSchema, body);
        return input.success ? get(input.output) : notServed(`this form of ${target}`);
      }
      case 'secretsmanager.PutSecretValue': {
        const input = v.safeParse(putSchema, body);
        return input.success ? put(input.output) : notServed(`this form of ${target}`);
      }
      default:
        return notServed(target);
    }
  };
};
