import { Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { CfnMalwareProtectionPlan } from 'aws-cdk-lib/aws-guardduty';
import { AnyPrincipal, Effect, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { BlockPublicAccess, Bucket, BucketEncryption } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { filesBucket } from '../../functions/files/file.ts';
import type { Environment } from './settings.ts';

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
}

/** The bucket of what visitors send as files. */
export class Files extends Construct {
  readonly bucket: Bucket;

  constructor(scope: Construct, id: string, props: FilesProps) {
    super(scope, id);
    this.bucket = this.#bucket(props);
    const tag = `s3:ExistingObjectTag/${filesBucket.scanTag}`;
    if (props.settings.scan) {
      const role = this.#scan();
      // Without a tag, the condition is true, too.
      this.#denyReading({
        StringNotEquals: { [tag]: scanned.others },
        ArnNotEquals: { 'aws:PrincipalArn': role.roleArn },
      });
    } else {
      this.#denyReading({ StringEquals: { [tag]: scanned.infected } });
    }
  }

  /** The stack's outputs for the staff command. */
  outputs(): Record<string, string> {
    return { FilesBucket: this.bucket.bucketName };
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
   * Lets GuardDuty scan each new object, and tag it. GuardDuty itself need not be on.
   * https://docs.aws.amazon.com/guardduty/latest/ug/malware-protection-s3-iam-policy-prerequisite.html
   * @returns the role of the scanner
   */
  #scan(): Role {
    const { bucketArn, bucketName } = this.bucket;
    const objects = this.bucket.arnForObjects('*');
    const managedRule = Stack.of(this).formatArn({
      service: 'events',
      resource: 'rule',
      resourceName: 'DO-NOT-DELETE-AmazonGuardDutyMalwareProtectionS3*',
    });
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
    const plan = new CfnMalwareProtectionPlan(this, 'Scan', {
      role: role.roleArn,
      protectedResource: { s3Bucket: { bucketName } },
      actions: { tagging: { status: 'ENABLED' } },
    });
    // GuardDuty tries the role and writes a test object when the plan is made.
    plan.node.addDependency(role);
    if (this.bucket.policy) plan.node.addDependency(this.bucket.policy);
    return role;
  }
}
