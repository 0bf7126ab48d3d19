import type { ModelRuntime } from '@modelwire/schema/types';

/** A model as `GET /v1/models` lists it: what models of every kind have. */
export interface ListedModel {
  readonly id: string;
  /** Unix seconds. */
  readonly created: number;
  readonly owned_by: string;
  /** Where the model runs, if the engine runs it itself. */
  readonly runtime?: ModelRuntime;
}
