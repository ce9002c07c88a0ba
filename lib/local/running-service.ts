/** The whole service, running in this process. */
export interface RunningService {
  /** Prints where it is, for people. */
  announce(): void;
  /** As in `Host`. */
  readonly storeEnded: Promise<void>;
  /** Responds to the open requests, then stops. */
  close(): Promise<void>;
}
