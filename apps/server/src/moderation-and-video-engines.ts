import { createCommandVideos } from '@modelwire/engine-command';
import { combineModeration, createImageModeration } from '@modelwire/engine-image-moderation';
import { createJudge } from '@modelwire/engine-judge';
import { createTextModeration } from '@modelwire/engine-moderation';
import { createStoryboardEngine } from '@modelwire/engine-storyboard';
import { createUpstreamModeration, createUpstreamVideos } from '@modelwire/engine-upstream';
import { overloaded } from '@modelwire/server';
import type { CircuitBreakers } from '@modelwire/engine-upstream';
import type { ChatEngine, ModerationEngine, VideoEngine } from '@modelwire/server';
import { ConfigError } from './config/config-error.ts';
import type { Settings } from './settings.ts';

/** Creates the configured moderation engines. */
export function createModerationEngines(
  { moderation = true }: Settings,
  chat: readonly ChatEngine[],
  circuitBreaker: CircuitBreakers,
): readonly ModerationEngine[] {
  return withConfigErrors(() => {
    if (moderation === false) return [];
    if (moderation === true) return [createEmbeddedModeration(createInstalledImageModeration())];
    if ('images' in moderation)
      return [createEmbeddedModeration(moderation.images ? createImageModeration() : undefined)];
    if ('upstream' in moderation) return [createUpstreamModeration({ ...moderation.upstream, circuitBreaker })];
    const { model } = moderation.judge;
    return [createLazyJudge(model, chat)];
  });
}

function createEmbeddedModeration(image: ModerationEngine | undefined): ModerationEngine {
  const text = createTextModeration();
  return image ? combineModeration({ text, image }) : text;
}

/** Image moderation needs optional packages for its weights and its decoder. Returns undefined if they are not installed. */
function createInstalledImageModeration(): ModerationEngine | undefined {
  try {
    return createImageModeration();
  } catch {
    return undefined;
  }
}

/** Creates a moderation engine that looks up its chat model at each call: the upstream that has it may be down at startup. */
function createLazyJudge(model: string, chat: readonly ChatEngine[]): ModerationEngine {
  const judges = new Map<ChatEngine, ModerationEngine>();
  const created = Math.floor(Date.now() / 1000);
  const ids = ['omni-moderation-latest', 'omni-moderation-2024-09-26'];
  const defaultModels = ids.map((id) => ({ id, created, owned_by: 'judge', inputs: ['text'] as const }));
  function find(): ModerationEngine | undefined {
    const engine = chat.find((candidate) => candidate.models().some(({ id }) => id === model));
    if (!engine) return undefined;
    const judge = judges.get(engine) ?? createJudge({ engine, model });
    judges.set(engine, judge);
    return judge;
  }
  return {
    name: 'judge',
    models: () => find()?.models() ?? defaultModels,
    moderate(request, context) {
      const judge = find();
      if (!judge) throw overloaded(10);
      return judge.moderate(request, context);
    },
  };
}

/** Creates the configured video engines. The embedded one is last, so that a configured model with the same id takes precedence. */
export function createVideoEngines(
  { videos = true }: Settings,
  circuitBreaker: CircuitBreakers,
  report: (message: string, details: object) => void,
): readonly VideoEngine[] {
  return withConfigErrors(() => {
    if (videos === false) return [];
    const { storyboard = true, upstream, command } = videos === true ? {} : videos;
    return [
      ...(command
        ? [createCommandVideos({ ...command, report: (failure) => report('a video command failed', failure) })]
        : []),
      ...(upstream ? [createUpstreamVideos({ ...upstream, circuitBreaker })] : []),
      ...(storyboard === false ? [] : [createStoryboardEngine(storyboard === true ? {} : storyboard)]),
    ];
  });
}

/** Engines throw TypeError for invalid options: the messages are addressed to the operator. */
function withConfigErrors<Engines>(make: () => Engines): Engines {
  try {
    return make();
  } catch (error) {
    throw error instanceof TypeError ? new ConfigError(error.message) : error;
  }
}
