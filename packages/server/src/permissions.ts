import type { KeyRole } from '@modelwire/ports';

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
