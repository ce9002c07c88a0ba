import type { Readable, Writable } from 'node:stream';
import type { Settings } from '../settings-file.ts';
import type { Deployment } from './doctor/deployment.ts';
import type { StaffNotifications } from './notifications/notifications.ts';
import type { Place } from './place.ts';
import type { StaffTables } from './tables/tables.ts';

/** What surrounds a command: a process gives its own, a test gives others. */
export interface Surroundings {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  /** Results. */
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  /** What is said about them: hints, questions, progress, mistakes. */
  readonly stderr: Writable & { readonly isTTY?: boolean };
  /** The settings that are in force. */
  readonly loadSettings: () => Promise<Settings>;
  /** Waits for this many milliseconds, or until the signal. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Aborted by Ctrl-C: long work then stops after the step under way. */
  readonly signal: AbortSignal;
}

/** What the staff command needs to run. */
export interface StaffContext extends Surroundings {
  readonly openTables: (place: Place) => Promise<StaffTables>;
  /** Finds the notifications of a place. */
  readonly openNotifications: (place: Place) => Promise<StaffNotifications>;
  /** Finds what a deployed environment is made of. */
  readonly openDeployment: (place: Place) => Promise<Deployment>;
}

/** What every command of an environment works with. */
export interface EnvironmentStaff extends Surroundings {
  /** What the operator calls it: `local`, an environment of the settings, or a stack. */
  readonly environment: string;
  /** How that is chosen on the command line: `--env prod`. */
  readonly chosenBy: string;
  /** The time where the environment is. */
  readonly now: Date;
}

/** What a command works with that reads or writes the tables. */
export interface Staff extends EnvironmentStaff {
  readonly tables: StaffTables;
}

/** What a command works with that looks at all that is deployed. */
export interface DeploymentStaff extends EnvironmentStaff {
  readonly deployment: Deployment;
}

/** What a command about notifications works with. */
export interface NotificationsStaff extends EnvironmentStaff {
  readonly notifications: StaffNotifications;
}
