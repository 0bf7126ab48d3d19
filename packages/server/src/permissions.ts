import type { KeyRole, Principal } from '@modelwire/ports';
import { RequestError } from './errors.ts';

/**
 * To read, to read the state and result of a job of a model by its ID, to run a model, to change stored objects, or to access all projects.
 */
export type Permission = 'read' | 'result' | 'infer' | 'write' | 'operate';

/** What the keys of each role may do. */
export const permissionsOfRole: Readonly<Record<KeyRole, readonly Permission[]>> = {
  full: ['read', 'result', 'infer', 'write'],
  read_only: ['read', 'result'],
  inference_only: ['result', 'infer'],
  admin: ['read', 'result', 'infer', 'write', 'operate'],
};

/** @throws a 403 if the role of the key or session does not permit it. */
export function assertPermitted(
  { role = 'full' }: Principal,
  permission: Permission,
  param: string | null = null,
): void {
  if (permissionsOfRole[role].includes(permission)) return;
  throw new RequestError(`The role '${role}' does not allow this request.`, {
    status: 403,
    code: 'insufficient_permissions',
    param,
  });
}
