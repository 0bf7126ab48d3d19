import type { Open } from './open.ts';

export interface Model {
  id: string;
  object: 'model';
  /** Unix seconds. */
  created: number;
  owned_by: string;
  /** Which requests the model serves. Absent if the server only forwards requests to it. */
  kinds?: Open<'chat' | 'embedding' | 'moderation' | 'video'>[];
}

/** All models: this list has no pages. */
export interface ModelList {
  object: 'list';
  data: Model[];
}

/** What a chat model can do at this server. */
export interface ModelCapabilities {
  object: 'model.capabilities';
  /** Its id. */
  model: string;
  /** Each parameter of the request that not every model has: done by its engine, by the server around it, or a 400 that names it. */
  parameters: Record<string, 'native' | 'emulated' | 'refused'>;
  roles: string[];
  inputs: string[];
  modalities: string[];
  response_formats: string[];
  tool_types: string[];
  grammars: string[];
  /** Null where the model lists none: what is said goes to it as it is. */
  reasoning_efforts: string[] | null;
  verbosities: string[];
  service_tiers: string[];
}
