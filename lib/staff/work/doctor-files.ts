import { GetPublicAccessBlockCommand, S3Client } from '@aws-sdk/client-s3';
import * as v from 'valibot';
import { requestSigned } from '../../shared/signed-request.ts';
import { type Check, type Deployed, type Finding, revertDrift, wrong } from './doctor-check.ts';

/** A bucket that anyone could make public again is one. */
const findingsOfBucket = async (environment: Deployed, bucket: string): Promise<readonly Finding[]> => {
  try {
    const { PublicAccessBlockConfiguration: blocked } = await environment
      .client(S3Client)
      .send(new GetPublicAccessBlockCommand({ Bucket: bucket }));
    const { BlockPublicAcls, BlockPublicPolicy, IgnorePublicAcls, RestrictPublicBuckets } = blocked ?? {};
    if (BlockPublicAcls && BlockPublicPolicy && IgnorePublicAcls && RestrictPublicBuckets) return [];
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (error.name === 'NoSuchBucket') {
      return [
        wrong(
          'The bucket of files is missing: the service cannot store contact requests with files.',
          revertDrift(environment),
        ),
      ];
    }
    if (error.name !== 'NoSuchPublicAccessBlockConfiguration') throw error;
  }
  return [wrong('The bucket of files does not block public access any more.', revertDrift(environment))];
};

const protectionPlan = v.object({
  status: v.string(),
  statusReasons: v.optional(v.array(v.object({ code: v.optional(v.string(), '') })), []),
});

/**
 * Reads how GuardDuty sees its task: https://docs.aws.amazon.com/guardduty/latest/APIReference/API_GetMalwareProtectionPlan.html
 * @returns undefined if there is none
 */
const readPlan = async ({ stack: { region }, now }: Deployed, id: string) => {
  try {
    return await requestSigned(
      {
        service: 'guardduty',
        region,
        url: `https://guardduty.${region}.amazonaws.com`,
        method: 'GET',
        path: `/malware-protection-plan/${id}`,
      },
      protectionPlan,
      now(),
    );
  } catch (error) {
    if (error instanceof Error && error.name === 'ResourceNotFoundException') return undefined;
    throw error;
  }
};

const findingsOfScan = async (environment: Deployed): Promise<readonly Finding[]> => {
  const plan = (await environment.resources).find(({ type }) => type === 'AWS::GuardDuty::MalwareProtectionPlan');
  if (!plan) return [];
  const { status, statusReasons } = (await readPlan(environment, plan.physicalId)) ?? {
    status: 'missing',
    statusReasons: [],
  };
  if (status === 'ACTIVE') return [];
  const reasons = statusReasons.map(({ code }) => code).join(', ');
  return [
    wrong(
      `GuardDuty's plan to scan files is ${status}${reasons === '' ? '' : ` (${reasons})`}: new files can stay pending, so that nobody can download them.`,
      revertDrift(environment),
    ),
  ];
};

/** Nobody would notice a public bucket, and what GuardDuty does not scan only seems slow. */
export const checkFiles: Check = async (environment) => {
  const { FilesBucket: bucket } = environment.outputs;
  if (bucket === undefined) return [];
  return (await Promise.all([findingsOfBucket(environment, bucket), findingsOfScan(environment)])).flat();
};
