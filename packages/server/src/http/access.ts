import { RequestError } from '../errors.ts';
import type { Principal, KeyRole } from '@modelwire/ports';

/** What an endpoint asks of a key: to read, to have a model answer, to change what is kept, or to see all projects. */
export type Access = 'read' | 'infer' | 'write' | 'operate';

const allowed: Readonly<Record<KeyRole, readonly Access[]>> = {
  full: ['read', 'infer', 'write'],
  read_only: ['read'],
  inference_only: ['infer'],
  admin: ['read', 'infer', 'write', 'operate'],
};

/** @throws a 403 for a key whose role does not reach this far. */
export function checkAccess({ role = 'full' }: Principal, access: Access): void {
  if (allowed[role].includes(access)) return;
  throw new RequestError(`This key's role '${role}' does not allow this request.`, {
    status: 403,
    code: 'insufficient_permissions',
  });
}
