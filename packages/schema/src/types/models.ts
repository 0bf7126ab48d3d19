export interface Model {
  id: string;
  object: 'model';
  /** Unix seconds. */
  created: number;
  owned_by: string;
}

/** All models: this list has no pages. */
export interface ModelList {
  object: 'list';
  data: Model[];
}

export interface ModelDeleted {
  id: string;
  object: string;
  deleted: boolean;
}
