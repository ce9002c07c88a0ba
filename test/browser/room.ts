import type { Site } from './service.ts';

/** How many contact requests, and as many preflights, the throttled service has room for, ever. */
export const room = 10;

/** Takes the room for contact requests; preflights keep theirs. */
export const takeRoom = ({ apiUrl }: Site): Promise<unknown> =>
  Promise.all(Array.from({ length: room }, () => fetch(`${apiUrl}/api/v1/contact`, { method: 'POST' })));
