import type { ProjectApiKeyRole } from '@modelwire/client';

export const roles: readonly { readonly id: ProjectApiKeyRole; readonly label: string }[] = [
  { id: 'full', label: 'Full: everything in the project' },
  { id: 'inference_only', label: 'Inference only: run models' },
  { id: 'read_only', label: 'Read only' },
  { id: 'admin', label: 'Administrator: all projects' },
];

/** The role with this id; `full` for one that the console does not know. */
export function roleOf(id: string): ProjectApiKeyRole {
  return roles.find((role) => role.id === id)?.id ?? 'full';
}
