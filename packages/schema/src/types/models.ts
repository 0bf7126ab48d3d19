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

/** All models in one page. */
export interface ModelList {
  object: 'list';
  data: Model[];
}

/** What a chat model can do at this server. */
export interface ModelCapabilities {
  object: 'model.capabilities';
  /** Its ID. */
  model: string;
  /**
   * The request parameters that not all models support: implemented by the engine, emulated by the server, or refused with a 400 that names
   * them.
   */
  parameters: Record<string, 'native' | 'emulated' | 'refused'>;
  roles: string[];
  inputs: string[];
  modalities: string[];
  response_formats: string[];
  tool_types: string[];
  grammars: string[];
  /** Null if the model lists none: any value is passed to it. */
  reasoning_efforts: string[] | null;
  verbosities: string[];
  service_tiers: string[];
}
