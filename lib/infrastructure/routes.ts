import type { Permission } from '../../functions/tokens/permissions.ts';
import type { HandlerName } from './bundle.ts';

/** A route of the service: interface.md, section 4. */
export interface Route {
  readonly method: 'DELETE' | 'GET' | 'POST';
  readonly path: string;
  /** The handler that answers, by its bundle's name. */
  readonly handler: HandlerName;
  /** What a token must be allowed to do here; none: the route is public. */
  readonly permission?: Permission;
}

/** The six endpoints, in the document's order. Nothing else states them. */
export const routes: readonly Route[] = [
  { method: 'POST', path: '/api/v1/contact', handler: 'contacts/create' },
  { method: 'GET', path: '/api/v1/contact', handler: 'contacts/list', permission: 'contacts:read' },
  { method: 'GET', path: '/api/v1/contact/{id}', handler: 'contacts/get', permission: 'contacts:read' },
  { method: 'DELETE', path: '/api/v1/contact/{id}', handler: 'contacts/delete', permission: 'contacts:delete' },
  { method: 'GET', path: '/v1/campaigns', handler: 'campaigns/list', permission: 'campaigns:read' },
  { method: 'GET', path: '/v1/campaigns/{id}', handler: 'campaigns/get', permission: 'campaigns:read' },
];
