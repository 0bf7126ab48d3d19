import type {
  ChatEngine,
  ChatModel,
  EmbeddingEngine,
  EmbeddingModel,
  ModerationEngine,
  ModerationEngineModel,
  VideoEngine,
  VideoModel,
} from '@modelwire/ports';
import type { ModelRegistry, ResolvedModel } from './model-registry.ts';

/** The kinds of models, each with its engines. */
export interface ModelsByKind {
  readonly chat: ResolvedModel<ChatEngine, ChatModel>;
  readonly embedding: ResolvedModel<EmbeddingEngine, EmbeddingModel>;
  readonly moderation: ResolvedModel<ModerationEngine, ModerationEngineModel>;
  readonly video: ResolvedModel<VideoEngine, VideoModel>;
}

export type ModelKind = keyof ModelsByKind;

/** Of a model with several kinds, the first determines the other fields. */
export const modelKinds = ['chat', 'embedding', 'moderation', 'video'] as const satisfies readonly ModelKind[];

/** The models of each kind. */
export type ModelRegistries = {
  readonly [Kind in ModelKind]: ModelRegistry<ModelsByKind[Kind]['engine'], ModelsByKind[Kind]['model']>;
};
