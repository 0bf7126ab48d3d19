import type { ProjectApiKeyRole } from '@modelwire/client';

export const roles: readonly { readonly value: ProjectApiKeyRole; readonly label: string }[] = [
  { value: 'full', label: 'Full: everything in the project' },
  { value: 'inference_only', label: 'Inference only: run models' },
  { value: 'read_only', label: 'Read only' },
  { value: 'admin', label: 'Administrator: all projects' },
];

/** The role with this ID; `full` for one that the console does not know. */
export function roleOf(id: string): ProjectApiKeyRole {
  return roles.find(({ value }) => value === id)?.value ?? 'full';
}
