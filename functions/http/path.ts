import { parseUuid } from '../uuid.ts';
import { HttpError } from './errors.ts';
import type { HttpRequest } from './request.ts';

/**
 * The UUID in the path.
 * @throws {HttpError} 404: what is no UUID names nothing
 */
export const idOf = ({ pathParameters }: HttpRequest): string => {
  const id = parseUuid(String(pathParameters.get('id')));
  if (id === undefined) throw new HttpError(404);
  return id;
};
