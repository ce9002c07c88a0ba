import type { HttpRequest } from '../http/request.ts';
import { log } from '../log.ts';

/** What was done with contact requests. */
type Access = 'contact request deleted' | 'contact request read' | 'contact requests listed';

/** Says which token did it, to which contact request or how many: ids and a number, and nothing of a visitor (docs/privacy.md). */
export const logAccess = (
  access: Access,
  { id: requestId, tokenId }: HttpRequest,
  to: { readonly contactId: string } | { readonly count: number },
): void => log('info', access, { requestId, tokenId, ...to });
