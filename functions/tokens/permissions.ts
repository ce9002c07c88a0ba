/** What a token may be allowed to do. */
export const permissions = ['contacts:read', 'contacts:delete', 'campaigns:read'] as const;

export type Permission = (typeof permissions)[number];
