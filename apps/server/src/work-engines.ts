import { createCommandVideos } from '@modelwire/engine-command';
import { combineModeration, createImageModeration } from '@modelwire/engine-image-moderation';
import { createJudge } from '@modelwire/engine-judge';
import { createTextModeration } from '@modelwire/engine-moderation';
import { createStoryboardEngine } from '@modelwire/engine-storyboard';
import { createUpstreamModeration, createUpstreamVideos } from '@modelwire/engine-upstream';
import { overloaded } from '@modelwire/server';
import type { ChatEngine, ModerationEngine, VideoEngine } from '@modelwire/server';
import { ConfigError } from './config/config-error.ts';
import type { Settings } from './settings.ts';

/** What judges texts and images, by the settings. */
export function moderationEnginesOf(
  { moderation = true }: Settings,
  chat: readonly ChatEngine[],
): readonly ModerationEngine[] {
  return configured(() => {
    if (moderation === false) return [];
    if (moderation === true) return [embeddedModeration(imagesWhereInstalled())];
    if ('images' in moderation) return [embeddedModeration(moderation.images ? createImageModeration() : undefined)];
    if ('upstream' in moderation) return [createUpstreamModeration(moderation.upstream)];
    const { model } = moderation.judge;
    return [lateJudge(model, chat)];
  });
}

function embeddedModeration(image: ModerationEngine | undefined): ModerationEngine {
  const text = createTextModeration();
  return image ? combineModeration({ text, image }) : text;
}

/** Its weights and decoder are packages that a server which judges no images does without. */
function imagesWhereInstalled(): ModerationEngine | undefined {
  try {
    return createImageModeration();
  } catch {
    return undefined;
  }
}

/** A judge whose chat model is looked for at each call: a server that has it may be down when this one starts. */
function lateJudge(model: string, chat: readonly ChatEngine[]): ModerationEngine {
  const judges = new Map<ChatEngine, ModerationEngine>();
  const created = Math.floor(Date.now() / 1000);
  const ids = ['omni-moderation-latest', 'omni-moderation-2024-09-26'];
  const none = ids.map((id) => ({ id, created, owned_by: 'judge', inputs: ['text'] as const }));
  function find(): ModerationEngine | undefined {
    const engine = chat.find((one) => one.models().some(({ id }) => id === model));
    if (!engine) return undefined;
    const judge = judges.get(engine) ?? createJudge({ engine, model });
    judges.set(engine, judge);
    return judge;
  }
  return {
    name: 'judge',
    models: () => find()?.models() ?? none,
    moderate(request, context) {
      const judge = find();
      if (!judge) throw overloaded(10);
      return judge.moderate(request, context);
    },
  };
}

/** What renders videos, by the settings: what somebody configured first, so that an id of theirs wins. */
export function videoEnginesOf(
  { videos = true }: Settings,
  report: (what: string, details: object) => void,
): readonly VideoEngine[] {
  return configured(() => {
    if (videos === false) return [];
    const { storyboard = true, upstream, command } = videos === true ? {} : videos;
    return [
      ...(command
        ? [createCommandVideos({ ...command, report: (failure) => report('a video command failed', failure) })]
        : []),
      ...(upstream ? [createUpstreamVideos(upstream)] : []),
      ...(storyboard === false ? [] : [createStoryboardEngine(storyboard === true ? {} : storyboard)]),
    ];
  });
}

/** What an engine says of its options is meant for whoever wrote them. */
function configured<Engines>(make: () => Engines): Engines {
  try {
    return make();
  } catch (error) {
    throw error instanceof TypeError ? new ConfigError(error.message) : error;
  }
}
