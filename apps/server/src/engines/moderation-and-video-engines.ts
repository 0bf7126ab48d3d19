import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { combineModeration, createImageModeration } from '@modelwire/engine-image-moderation';
import { createTextModeration } from '@modelwire/engine-moderation';
import { createUpstreamModeration, createUpstreamVideos } from '@modelwire/engine-upstream';
import { moderationCategories, overloaded } from '@modelwire/ports';
import { remoteVideos } from '@modelwire/server/remote-videos';
import type { CircuitBreakers } from '@modelwire/engine-upstream';
import type { ChatEngine, ModerationEngine, VideoEngine } from '@modelwire/ports';
import type { ModerationCategory } from '@modelwire/schema/types';
import { ConfigError } from '../config/config-error.ts';
import type { Settings } from '../config/settings.ts';

/** Creates the configured moderation engines. */
export async function createModerationEngines(
  { moderation = true }: Settings,
  chat: readonly ChatEngine[],
  circuitBreaker: CircuitBreakers,
): Promise<readonly ModerationEngine[]> {
  return withConfigErrors(async () => {
    if (moderation === false) return [];
    if (moderation === true) return [createEmbeddedModeration(createInstalledImageModeration())];
    if ('images' in moderation)
      return [createEmbeddedModeration(moderation.images ? createImageModeration() : undefined)];
    if ('upstream' in moderation) return [createUpstreamModeration({ ...moderation.upstream, circuitBreaker })];
    const { judge } = moderation;
    const { createJudge } = await import('@modelwire/engine-judge');
    return [createLazyJudge((engine) => createJudge({ ...judge, engine }), judge.model, chat)];
  });
}

/** The categories that a model of moderation does not judge in texts. Default: the first model. */
export function unjudgedCategories(engines: readonly ModerationEngine[], id?: string): readonly ModerationCategory[] {
  const models = engines.flatMap((engine) => engine.models());
  const judged = models.find((model) => id === undefined || model.id === id)?.categories;
  return judged ? moderationCategories.filter((category) => !judged.includes(category)) : [];
}

/** The categories for which `moderate` neither flags nor blocks anything, because its model does not judge them. */
export function unmoderatedCategories(
  { moderate }: Settings,
  engines: readonly ModerationEngine[],
): readonly ModerationCategory[] {
  if (moderate === undefined) return [];
  return unjudgedCategories(engines, typeof moderate === 'string' ? undefined : moderate.model);
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
function createLazyJudge(
  createJudge: (engine: ChatEngine) => ModerationEngine,
  model: string,
  chat: readonly ChatEngine[],
): ModerationEngine {
  const judges = new Map<ChatEngine, ModerationEngine>();
  const created = Math.floor(Date.now() / 1000);
  const ids = ['omni-moderation-latest', 'omni-moderation-2024-09-26'];
  const defaultModels = ids.map((id) => ({ id, created, owned_by: 'judge', inputs: ['text'] as const }));
  function find(): ModerationEngine | undefined {
    const engine = chat.find((candidate) => candidate.models().some(({ id }) => id === model));
    if (!engine) return undefined;
    const judge = judges.get(engine) ?? createJudge(engine);
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

/** Creates the configured video engines. The embedded one is last, so that a configured model with the same ID takes precedence. */
export async function createVideoEngines(
  { videos = true }: Settings,
  circuitBreaker: CircuitBreakers,
  report: (message: string, details: object) => void,
): Promise<readonly VideoEngine[]> {
  return withConfigErrors(async () => {
    if (videos === false) return [];
    const { storyboard = true, upstream, command, ffmpeg = false } = videos === true ? {} : videos;
    const addImages = ffmpeg === false ? undefined : await imagesByFfmpeg(ffmpeg === true ? 'ffmpeg' : ffmpeg, report);
    const engines: VideoEngine[] = [];
    const add = (engine: VideoEngine): void => void engines.push(addImages?.(engine) ?? engine);
    if (command) {
      const { createCommandVideos } = await import('@modelwire/engine-command');
      add(createCommandVideos({ ...command, report: (failure) => report('a video command failed', failure) }));
    }
    if (upstream) {
      const { trustedHosts, ...settings } = upstream;
      add(createUpstreamVideos({ ...settings, circuitBreaker, download: remoteVideos({ trustedHosts }) }));
    }
    if (storyboard !== false) {
      const { createStoryboardEngine } = await import('@modelwire/engine-storyboard');
      engines.push(createStoryboardEngine(storyboard === true ? {} : storyboard));
    }
    return engines;
  });
}

/** Adds the images that an engine leaves out. @throws a `ConfigError` if the program does not run. */
async function imagesByFfmpeg(
  command: string,
  report: (message: string, details: object) => void,
): Promise<(engine: VideoEngine) => VideoEngine> {
  const { withFfmpeg } = await import('@modelwire/engine-command');
  try {
    await promisify(execFile)(command, ['-version'], { timeout: 10_000 });
  } catch (error) {
    throw new ConfigError(
      `videos.ffmpeg: '${command}' does not run: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  return (engine) => withFfmpeg(engine, { command, report: (failure) => report('ffmpeg failed', failure) });
}

/** Engines throw TypeError for invalid options: the messages are addressed to the operator. */
async function withConfigErrors<Engines>(make: () => Promise<Engines>): Promise<Engines> {
  try {
    return await make();
  } catch (error) {
    throw error instanceof TypeError ? new ConfigError(error.message) : error;
  }
}
