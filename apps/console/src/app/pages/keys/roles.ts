import type { ProjectApiKeyRole } from '@modelwire/client';

export const roles: readonly { readonly value: ProjectApiKeyRole; readonly label: string }[] = [
  { value: 'full', label: 'Full: everything in the project' },
  { value: 'inference_only', label: 'Inference only: run models' },
  { value: 'read_only', label: 'Read only' },
  { value: 'admin', label: 'Administrator: all projects' },
];

/** The role with this ID; `full` if the console does not know it. */
export function roleOf(id: string): ProjectApiKeyRole {
  return roles.find(({ value }) => value === id)?.value ?? 'full';
}
