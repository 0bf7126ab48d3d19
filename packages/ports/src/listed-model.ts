/** A model as `GET /v1/models` lists it: what models of every kind have. */
export interface ListedModel {
  readonly id: string;
  /** Unix seconds. */
  readonly created: number;
  readonly owned_by: string;
}
