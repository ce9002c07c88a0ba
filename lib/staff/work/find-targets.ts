import { type DeployedTargets, targetsIn } from '../../infrastructure/outputs.ts';
import { StaffError } from '../../shared/staff-error.ts';
import type { StaffEnvironment } from '../tool/staff-environment.ts';

/** @throws {StaffError} if the environment has no targets of notifications */
export const findTargets = ({ name, stack, outputs }: StaffEnvironment): DeployedTargets => {
  const found = targetsIn(outputs);
  if (found) return found;
  throw new StaffError(
    stack
      ? `"${name}" has no notification targets: set notifications (see docs/settings.md) and deploy.`
      : 'The local service notifies nobody: start it with a target, as in "NOTIFY_WEBHOOK=http://127.0.0.1:9000/ npm start".',
  );
};
