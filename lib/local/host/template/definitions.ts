import * as v from 'valibot';
import { refuse, streamArnOf } from './intrinsics.ts';
import type { Resources } from './resources.ts';

/** A Lambda function: its bundle exports `handler` from `index.mjs`. */
export interface FunctionDefinition {
  readonly name: string;
  readonly arn: string;
  /** The folder of its bundle. */
  readonly folder: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly timeoutSeconds: number;
  readonly memoryMegabytes: number;
}

/** @param assetFolders the folders of the assets, by their key */
export const readFunctions = (
  resources: Resources,
  assetFolders: ReadonlyMap<string, string>,
): readonly FunctionDefinition[] =>
  resources('AWS::Lambda::Function').map(({ name, arn, where, get }) => {
    get('Runtime', v.literal('nodejs24.x'));
    get('Handler', v.literal('index.handler'));
    const key = get('Code.S3Key', v.string());
    return {
      name,
      arn,
      folder: assetFolders.get(key) ?? refuse(where, `${key} is no asset of the stack`),
      variables: get('Environment.Variables', v.optional(v.record(v.string(), v.string()), {})),
      timeoutSeconds: get('Timeout', v.optional(v.number(), 3)),
      memoryMegabytes: get('MemorySize', v.optional(v.number(), 128)),
    };
  });

const keySchema = v.array(v.object({ AttributeName: v.string(), KeyType: v.picklist(['HASH', 'RANGE']) }));
const attributesSchema = v.array(v.object({ AttributeName: v.string(), AttributeType: v.picklist(['S', 'N', 'B']) }));
const indexesSchema = v.optional(
  v.array(
    v.object({
      IndexName: v.string(),
      KeySchema: keySchema,
      Projection: v.object({
        NonKeyAttributes: v.optional(v.array(v.string())),
        ProjectionType: v.picklist(['ALL', 'KEYS_ONLY', 'INCLUDE']),
      }),
    }),
  ),
  [],
);

/** The keys and indexes of a table, as DynamoDB's API names them. */
export const tableShapeSchema = v.object({
  AttributeDefinitions: attributesSchema,
  KeySchema: keySchema,
  GlobalSecondaryIndexes: indexesSchema,
});

/** A DynamoDB table. */
export interface TableDefinition {
  readonly name: string;
  readonly shape: v.InferOutput<typeof tableShapeSchema>;
  /** The ARN of the stream of its changes. */
  readonly streamArn: string;
  /** The attribute that says when an item expires. */
  readonly expiryAttribute?: string;
}

const timeToLiveSchema = v.optional(v.object({ AttributeName: v.string(), Enabled: v.literal(true) }));

export const readTables = (resources: Resources): readonly TableDefinition[] =>
  resources('AWS::DynamoDB::GlobalTable').map(({ name, arn, get }) => {
    get('StreamSpecification.StreamViewType', v.optional(v.literal('NEW_IMAGE')));
    const timeToLive = get('TimeToLiveSpecification', timeToLiveSchema);
    return {
      name,
      ...(timeToLive && { expiryAttribute: timeToLive.AttributeName }),
      shape: {
        AttributeDefinitions: get('AttributeDefinitions', attributesSchema),
        KeySchema: get('KeySchema', keySchema),
        GlobalSecondaryIndexes: get('GlobalSecondaryIndexes', indexesSchema),
      },
      streamArn: streamArnOf(arn),
    };
  });

/** A standard queue of Amazon SQS. */
export interface QueueDefinition {
  readonly name: string;
  readonly arn: string;
  readonly visibilityTimeoutSeconds: number;
  /** The dead-letter queue, by name. */
  readonly redrive?: { readonly deadLetters: string; readonly maxReceiveCount: number };
}

const redriveSchema = v.optional(v.object({ deadLetterTargetArn: v.string(), maxReceiveCount: v.number() }));

export const readQueues = (resources: Resources): readonly QueueDefinition[] => {
  const queues = resources('AWS::SQS::Queue');
  return queues.map(({ name, arn, where, get }) => {
    const redrive = get('RedrivePolicy', redriveSchema);
    return {
      name,
      arn,
      visibilityTimeoutSeconds: get('VisibilityTimeout', v.optional(v.number(), 30)),
      ...(redrive && {
        redrive: {
          deadLetters: findByArn(queues, redrive.deadLetterTargetArn, where).name,
          maxReceiveCount: redrive.maxReceiveCount,
        },
      }),
    };
  });
};

/** Finds a definition by its ARN, or refuses the ARN. */
export const findByArn = <Found extends { readonly arn: string }>(
  candidates: readonly Found[],
  arn: string,
  where: string,
): Found =>
  candidates.find((each) => each.arn === arn) ?? refuse(where, `${arn} is not in the template, or of another type`);

/** A template of Amazon SES. Its parts are written in Handlebars. */
export interface EmailTemplate {
  readonly name: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export const readEmailTemplates = (resources: Resources): readonly EmailTemplate[] =>
  resources('AWS::SES::Template').map(({ get }) => ({
    name: get('Template.TemplateName', v.string()),
    subject: get('Template.SubjectPart', v.string()),
    text: get('Template.TextPart', v.string()),
    html: get('Template.HtmlPart', v.string()),
  }));

/** A secret. Its first value has letters and digits only. */
export interface SecretDefinition {
  readonly name: string;
  readonly arn: string;
  readonly length: number;
}

export const readSecrets = (resources: Resources): readonly SecretDefinition[] =>
  resources('AWS::SecretsManager::Secret').map(({ name, arn, get }) => {
    get('GenerateSecretString.ExcludePunctuation', v.literal(true));
    return { name, arn, length: get('GenerateSecretString.PasswordLength', v.optional(v.number(), 32)) };
  });

/** Rules that remove or move objects would have an effect. */
const lifecycleSchema = v.optional(
  v.array(
    v.strictObject({
      AbortIncompleteMultipartUpload: v.object({}),
      Id: v.optional(v.string()),
      Prefix: v.optional(v.literal('')),
      Status: v.literal('Enabled'),
    }),
  ),
);

/** @returns the buckets' names */
export const readBuckets = (resources: Resources): readonly string[] =>
  resources('AWS::S3::Bucket').map(({ name, get }) => {
    get('LifecycleConfiguration.Rules', lifecycleSchema);
    return name;
  });
