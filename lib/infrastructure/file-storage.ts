import { Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { CfnMalwareProtectionPlan } from 'aws-cdk-lib/aws-guardduty';
import { AnyPrincipal, Effect, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping, FilterCriteria, FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { BlockPublicAccess, Bucket, BucketEncryption, CfnBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { contactsTable } from '../../functions/contacts/contacts-table.ts';
import { filesBucket } from '../../functions/files/file.ts';
import { deleteFilesHandler, type ObjectAction } from './endpoints.ts';
import { type BucketAccess, readingOfStream, ServiceFunction } from './functions.ts';
import type { Environment } from './settings.ts';
import { acknowledgeWildcard, shownArn } from './wildcards.ts';

/** The setting `files` of an environment, parsed. */
type FilesSettings = NonNullable<Environment['files']>;

/**
 * What GuardDuty writes into its tag:
 * https://docs.aws.amazon.com/guardduty/latest/ug/monitor-enable-s3-object-tagging-malware-protection.html
 */
const scanned = { infected: 'THREATS_FOUND', others: ['NO_THREATS_FOUND', 'UNSUPPORTED', 'ACCESS_DENIED', 'FAILED'] };

const guardDuty = 'malware-protection-plan.guardduty.amazonaws.com';

interface FilesProps {
  readonly environment: Environment;
  readonly settings: FilesSettings;
  readonly contacts: TableV2;
  /** The stream of the contacts table. */
  readonly streamArn: string;
  readonly bundles: string;
}

/** The bucket of what visitors send as files, and the function that deletes them: docs/settings.md#files. */
export class Files extends Construct implements BucketAccess {
  readonly bucket: Bucket;
  /** Absent if nothing is scanned. */
  readonly scan?: CfnMalwareProtectionPlan;
  readonly deleteFiles: ServiceFunction;

  constructor(scope: Construct, id: string, props: FilesProps) {
    super(scope, id);
    this.bucket = this.#bucket(props);
    const tag = `s3:ExistingObjectTag/${filesBucket.scanTag}`;
    if (props.settings.scan) {
      const role = this.#scanRole();
      // Without a tag, the condition is true, too.
      this.#denyReading({
        StringNotEquals: { [tag]: scanned.others },
        ArnNotEquals: { 'aws:PrincipalArn': role.roleArn },
      });
      this.scan = this.#scan(role);
    } else {
      this.#denyReading({ StringEquals: { [tag]: scanned.infected } });
    }
    this.deleteFiles = this.#deleteFiles(props);
  }

  access(ofFunction: ServiceFunction, actions: readonly ObjectAction[]): void {
    const resource = this.bucket.arnForObjects('*');
    ofFunction.addVariable(filesBucket.variable, this.bucket.bucketName);
    ofFunction.addToRolePolicy(
      new PolicyStatement({ actions: actions.map((action) => `s3:${action}`), resources: [resource] }),
    );
    acknowledgeWildcard(
      ofFunction.role ?? this,
      this.#shownObjects(),
      'The keys of objects begin with the ids of contact requests.',
    );
  }

  /** The stack's outputs for the staff command. */
  outputs(): Record<string, string> {
    return { FilesBucket: this.bucket.bucketName, DeleteFilesFunction: this.deleteFiles.functionName };
  }

  /**
   * Without versions: what is deleted has to be gone. Retained like the tables; CloudFormation refuses to delete a bucket that
   * holds anything.
   */
  #bucket({ environment: { retainData }, settings: { existingBucket } }: FilesProps): Bucket {
    const bucket = new Bucket(this, 'Bucket', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      lifecycleRules: [{ abortIncompleteMultipartUploadAfter: Duration.days(1) }],
      removalPolicy: retainData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY,
      ...(existingBucket !== undefined && { bucketName: existingBucket, removalPolicy: RemovalPolicy.RETAIN }),
    });
    Validations.of(bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason:
        'Access logs would keep addresses of staff in a second bucket. The log of get-contact shows who was given the URLs of which contact request (docs/security.md).',
    });
    return bucket;
  }

  #denyReading(conditions: Record<string, Record<string, unknown>>): void {
    this.bucket.addToResourcePolicy(
      new PolicyStatement({
        effect: Effect.DENY,
        principals: [new AnyPrincipal()],
        actions: ['s3:GetObject'],
        resources: [this.bucket.arnForObjects('*')],
        conditions,
      }),
    );
  }

  /**
   * The permissions that GuardDuty asks for:
   * https://docs.aws.amazon.com/guardduty/latest/ug/malware-protection-s3-iam-policy-prerequisite.html
   */
  #scanRole(): Role {
    const { bucketArn } = this.bucket;
    const objects = this.bucket.arnForObjects('*');
    const rule = 'DO-NOT-DELETE-AmazonGuardDutyMalwareProtectionS3*';
    const managedRule = Stack.of(this).formatArn({ service: 'events', resource: 'rule', resourceName: rule });
    const role = new Role(this, 'ScanRole', { assumedBy: new ServicePrincipal(guardDuty) });
    const grant = (actions: readonly string[], resource: string, conditions = {}) =>
      role.addToPolicy(new PolicyStatement({ actions: [...actions], resources: [resource], conditions }));
    grant(
      ['PutRule', 'DeleteRule', 'PutTargets', 'RemoveTargets'].map((name) => `events:${name}`),
      managedRule,
      { StringLike: { 'events:ManagedBy': guardDuty } },
    );
    grant(['events:DescribeRule', 'events:ListTargetsByRule'], managedRule);
    grant(
      ['PutObjectTagging', 'GetObjectTagging', 'PutObjectVersionTagging', 'GetObjectVersionTagging'].map(
        (name) => `s3:${name}`,
      ),
      objects,
    );
    grant(['s3:PutBucketNotification', 's3:GetBucketNotification'], bucketArn);
    grant(['s3:PutObject'], this.bucket.arnForObjects('malware-protection-resource-validation-object'));
    grant(['s3:ListBucket', 's3:GetBucketLocation'], bucketArn);
    grant(['s3:GetObject', 's3:GetObjectVersion'], objects);
    const asked = 'GuardDuty asks for it (GuardDuty User Guide, Create or update IAM role policy).';
    acknowledgeWildcard(role, shownArn(this, 'events', `rule/${rule}`), asked);
    acknowledgeWildcard(role, this.#shownObjects(), asked);
    return role;
  }

  /** Lets GuardDuty scan each new object, and tag it. GuardDuty's other features need not be on. */
  #scan(role: Role): CfnMalwareProtectionPlan {
    const plan = new CfnMalwareProtectionPlan(this, 'Scan', {
      role: role.roleArn,
      protectedResource: { s3Bucket: { bucketName: this.bucket.bucketName } },
      actions: { tagging: { status: 'ENABLED' } },
    });
    // GuardDuty tries the role when the plan is made:
    // https://docs.aws.amazon.com/guardduty/latest/ug/troubleshoot-malware-protection-s3-iam-role-permissions-error.html
    plan.node.addDependency(role);
    if (this.bucket.policy) plan.node.addDependency(this.bucket.policy);
    return plan;
  }

  #deleteFiles({ environment, contacts, streamArn, bundles }: FilesProps): ServiceFunction {
    const deleteFiles = new ServiceFunction(this, 'DeleteFiles', {
      handler: deleteFilesHandler,
      bundles,
      description: 'Deletes the files of deleted contact requests, and daily what no contact request names',
      memorySize: 256,
      // To read a table of a million contact requests with files, once a day.
      timeout: Duration.minutes(15),
      logRetention: environment.logRetentionDays,
      variables: {},
    });
    this.access(deleteFiles, ['DeleteObject']);
    deleteFiles.addToRolePolicy(
      new PolicyStatement({ actions: ['s3:ListBucket'], resources: [this.bucket.bucketArn] }),
    );
    deleteFiles.access(contacts, {
      variable: contactsTable.variable,
      actions: ['GetItem'],
      attributes: { GetItem: contactsTable.readByDeleteFiles },
    });
    deleteFiles.addToRolePolicy(readingOfStream(streamArn));
    new EventSourceMapping(this, 'Stream', {
      target: deleteFiles,
      eventSourceArn: streamArn,
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: 100,
      // Lambda retries a batch as a whole, until the stream drops it after a day: the sweep deletes what is left then.
      retryAttempts: -1,
      filters: [FilterCriteria.filter({ eventName: FilterRule.isEqual('REMOVE') })],
    });
    new Rule(this, 'Sweep', {
      description: 'Deletes files that no contact request names',
      schedule: Schedule.rate(Duration.days(1)),
      targets: [new LambdaFunction(deleteFiles)],
    });
    return deleteFiles;
  }

  /** All objects, as cdk-nag shows them. */
  #shownObjects(): string {
    const { defaultChild } = this.bucket.node;
    if (!CfnBucket.isCfnBucket(defaultChild)) throw new Error('The bucket has no resource.');
    return `<${Stack.of(this).getLogicalId(defaultChild)}.Arn>/*`;
  }
}
