import { isThrottlingError, isTransientError } from '@smithy/core/retry';
import type { SdkError } from '@smithy/types';

/** Milliseconds before its timeout at which a function stops waiting for the store and responds. */
export const timeoutReserve = 500;

const isSdkError = (error: unknown): error is SdkError => error instanceof Error;

/** Whether a service that was called was unreachable or throttling, so that a retry may succeed. */
export const isUnavailable = (error: unknown): boolean =>
  isSdkError(error) && (isThrottlingError(error) || isTransientError(error));
