import type { KeyRole } from '@modelwire/ports';

/** To read, to run a model, to change stored objects, or to access all projects. */
export type Permission = 'read' | 'infer' | 'write' | 'operate';

/** What the keys of each role may do. */
export const permissionsOfRole: Readonly<Record<KeyRole, readonly Permission[]>> = {
  full: ['read', 'infer', 'write'],
  read_only: ['read'],
  inference_only: ['infer'],
  admin: ['read', 'infer', 'write', 'operate'],
};
