import type { StaffEnvironment } from '../environment/staff-environment.ts';
import type { CommandIo } from '../tool/command-io.ts';

/** Something that a check found. Findings go into the logs of CI jobs: they show no address. */
export interface Finding {
  readonly what: string;
  /** A `wrong` finding ends the command with 1, a `note` does not. */
  readonly severity: 'wrong' | 'note';
  /** A command that repairs it, or where to read how. */
  readonly remedy: string;
}

export const wrong = (what: string, remedy: string): Finding => ({ what, severity: 'wrong', remedy });

export const note = (what: string, remedy: string): Finding => ({ what, severity: 'note', remedy });

export type Deployed = StaffEnvironment & {
  readonly stack: NonNullable<StaffEnvironment['stack']>;
  readonly resources: Promise<readonly Resource[]>;
};

export type Check = (environment: Deployed, io: Pick<CommandIo, 'wait' | 'signal'>) => Promise<readonly Finding[]>;

/** A command of the AWS CLI, for people. */
export const aws = ({ stack }: Deployed, command: string) => `aws ${command} --region ${stack.region}`;

/** A command of this program, for people. */
export const crcs = ({ chosenBy }: Deployed, command: string) => `npx --no-install crcs ${command} ${chosenBy}`;

export const revertDrift = ({ stack }: Deployed) => `npx cdk deploy ${stack.name} --revert-drift`;

export interface Resource {
  /** As in templates: `AWS::SNS::Topic`. */
  readonly type: string;
  readonly logicalId: string;
  /** The name or ARN in AWS. */
  readonly physicalId: string;
}
