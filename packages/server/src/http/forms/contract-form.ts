import type { FileField } from '@modelwire/schema';

/** The form among the bodies that an endpoint takes. */
export interface ContractForm {
  readonly files: readonly FileField[];
  readonly textNames: readonly string[];
}
