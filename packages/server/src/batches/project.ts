import type { Kit } from '../kit.ts';
import type { ProjectStores } from '../ports/stores.ts';
import type { Call } from '../request/call.ts';

/** Batches and files of the project whose key calls. */
export function projectOf(
  { principal }: Pick<Call, 'principal'>,
  { options }: Kit,
): Pick<ProjectStores, 'batches' | 'files'> {
  if (!options.stores) throw new Error('served without stores');
  return options.stores.project(principal.project);
}
