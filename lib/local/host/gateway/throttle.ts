import type { Clock } from '../clock.ts';
import type { Method } from '../template/method.ts';
import { GatewayError } from './gateway-error.ts';

/**
 * A token bucket for each method: it holds `burst` requests and refills at `rate` a second.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-request-throttling.html
 * @returns a function that takes a request from its method's bucket, which throws {GatewayError} when that is empty
 */
export const createThrottle = ({ now }: Clock) => {
  const buckets = new Map<Method, { tokens: number; time: number }>();

  return (method: Method): void => {
    if (!method.throttle) return;
    const { rate, burst } = method.throttle;
    const time = now();
    const last = buckets.get(method) ?? { tokens: burst, time };
    // A clock that was set back takes nothing out.
    const passed = Math.max(0, time - last.time);
    const tokens = Math.min(burst, last.tokens + (passed / 1000) * rate);
    const taken = tokens >= 1;
    buckets.set(method, { tokens: taken ? tokens - 1 : tokens, time });
    if (!taken) throw new GatewayError('THROTTLED');
  };
};
