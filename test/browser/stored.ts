import * as v from 'valibot';
import type { Service } from './service.ts';

const contacts = v.array(
  v.object({
    email: v.exactOptional(v.string()),
    phone: v.exactOptional(v.string()),
    company: v.exactOptional(v.string()),
    message: v.string(),
    firstName: v.exactOptional(v.string()),
    lastName: v.exactOptional(v.string()),
    extra: v.exactOptional(v.record(v.string(), v.union([v.string(), v.array(v.string())]))),
  }),
);

/** The stored contact requests whose message begins with a text, as a staff script lists them. */
export const storedBy = async (
  { apiUrl, staffToken }: Service,
  beginning: string,
  query: 'spam=false' | 'spam=true' = 'spam=false',
) => {
  const response = await fetch(`${apiUrl}/api/v1/contact?limit=200&${query}`, {
    headers: { Authentication: staffToken },
  });
  return v.parse(contacts, await response.json()).filter(({ message }) => message.startsWith(beginning));
};
