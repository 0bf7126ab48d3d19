import { createActivity } from './activity.ts';
import type { Activity } from './activity.ts';
import { createBodyBudget } from './body-budget.ts';
import type { BodyBudget } from './body-budget.ts';
import { createEngineQueue } from './engine-queue.ts';
import type { EngineQueue } from './engine-queue.ts';
import { createInFlight } from './in-flight.ts';
import type { InFlight } from './in-flight.ts';
import { withAliases } from './models/aliases.ts';
import { createModelRegistry } from './models/registry.ts';
import type { ModelRegistry } from './models/registry.ts';
import type { KitOptions } from './options.ts';
import type { ChatEngine, ChatModel } from './ports/chat-engine.ts';
import type { VideoEngine, VideoModel } from './ports/video-engine.ts';
import { createRenderings } from './videos/renderings.ts';
import type { Renderings } from './videos/renderings.ts';
import { createSpoken } from './audio/spoken.ts';
import type { Spoken } from './audio/spoken.ts';
import { servicedModels } from './chat/services.ts';
import type { ModerationEngine, ModerationEngineModel } from './ports/moderation-engine.ts';
import type { RequestLogEntry } from './ports/request-log.ts';
import { createBodyWatch } from './request/body-watch.ts';
import type { BodyWatch } from './request/body-watch.ts';
import { createCors } from './request/cors.ts';
import type { Cors } from './request/cors.ts';
import { createFormPlaces } from './request/form-places.ts';
import type { FormPlaces } from './request/form-places.ts';
import type { Inside } from './request/inside-request.ts';
import { paceOf } from './request/sender-pace.ts';
import { createChecksumQueue } from './uploads/md5.ts';
import { createMeter } from './usage/meter.ts';
import type { Meter } from './usage/meter.ts';

/** What handlers work with: the ports, and what one running server keeps in memory. */
export interface Kit {
  readonly options: KitOptions;
  readonly models: ModelRegistry<ChatEngine, ChatModel>;
  readonly moderationModels: ModelRegistry<ModerationEngine, ModerationEngineModel>;
  readonly videoModels: ModelRegistry<VideoEngine, VideoModel>;
  readonly renderings: Renderings;
  /** What was said by speech made here, as long as it may be named. */
  readonly spoken: Spoken;
  readonly queues: { of(engine: ChatEngine | ModerationEngine): EngineQueue };
  /** Bounds the large checksums that are counted at once. */
  readonly checksums: EngineQueue;
  readonly inFlight: InFlight;
  readonly activity: Activity;
  readonly bodies: BodyBudget;
  /** Bounds what replies that are not read hold together. Apart from `bodies`: unread streams must not keep requests out. */
  readonly unreadReplies: BodyBudget;
  /** Bounds the images that are fetched at once. */
  readonly imageFetches: EngineQueue;
  /** Ends the bodies that arrive too slowly. */
  readonly bodyWatch: BodyWatch;
  /** Undefined where no other origin may read answers. */
  readonly cors: Cors | undefined;
  /** Bounds the forms that are received at once. */
  readonly forms: FormPlaces;
  /** Writes a log line. What the log throws is reported, and nobody's answer suffers. */
  readonly log: (entry: RequestLogEntry) => void;
  /** Asks an endpoint that takes JSON, by its path; undefined where this server has none there. */
  readonly inside: (path: string) => Inside | undefined;
  /** There is a new job, or news of one: the worker of this server need not wait until it looks. */
  readonly wakeWorker: () => void;
  /** Counts usage; undefined where nothing is kept. */
  readonly meter: Meter | undefined;
}

/** Images of all requests that are fetched at once. A request fetches its images one after the other. */
const maxImageFetches = 32;

export function createKit(options: KitOptions, links: Pick<Kit, 'inside' | 'wakeWorker'>): Kit {
  const { engines, concurrency, queueLength: length, queueWaitMs: waitMs } = options;
  const queues = new Map<ChatEngine | ModerationEngine, EngineQueue>();
  for (const engine of [...engines, ...options.moderationEngines]) {
    queues.set(engine, createEngineQueue({ concurrency: engine.concurrency ?? concurrency, length, waitMs }));
  }
  return {
    ...links,
    options,
    ...modelsOf(options),
    renderings: createRenderings(),
    spoken: createSpoken(options),
    queues: {
      of(engine) {
        const queue = queues.get(engine);
        if (!queue) throw new Error(`engine '${engine.name}' is not of this server`);
        return queue;
      },
    },
    checksums: createChecksumQueue(waitMs),
    inFlight: createInFlight(),
    activity: createActivity(),
    bodies: createBodyBudget(options.maxBufferedBytes),
    unreadReplies: createBodyBudget(options.maxBufferedBytes),
    imageFetches: createEngineQueue({ concurrency: maxImageFetches, length, waitMs }),
    bodyWatch: createBodyWatch(paceOf(options)),
    cors: options.cors && createCors(options.cors),
    forms: createFormPlaces(options.maxForms),
    log(entry) {
      try {
        options.log?.(entry);
      } catch (error) {
        options.report('a log line was not written', error);
      }
    },
    meter:
      options.stores &&
      createMeter({ store: options.stores.usage, onError: (error) => options.report('usage was not written', error) }),
  };
}

type Models = Pick<Kit, 'models' | 'moderationModels' | 'videoModels'>;

/** @throws TypeError when an alias or the default model names a model that no engine serves. */
function modelsOf(options: KitOptions): Models {
  const { engines, videoEngines, modelAliases, defaultModel } = options;
  const models: Models = {
    models: withAliases(servicedModels(createModelRegistry(engines), options), modelAliases),
    moderationModels: withAliases(moderationModelsOf(options), modelAliases),
    videoModels: withAliases(createModelRegistry<VideoModel, VideoEngine>(videoEngines), modelAliases),
  };
  // Engines that ask other servers may not know their models yet: then a name may become known later.
  if (engines.some(({ modelsKnown }) => modelsKnown === false)) return models;
  const registries = [models.models, models.moderationModels, models.videoModels];
  const served = () => registries.flatMap((registry) => registry.all().map(({ id }) => `'${id}'`)).join(', ');
  for (const [alias, target] of modelAliases) {
    if (registries.some((registry) => registry.find(target)?.model.id === target)) continue;
    throw new TypeError(
      `modelAliases: '${alias}' names the model '${target}', which no engine serves. Served models: ${served()}.`,
    );
  }
  if (defaultModel !== undefined && !models.models.find(defaultModel)) {
    throw new TypeError(`defaultModel: no engine serves the chat model '${defaultModel}'. Served models: ${served()}.`);
  }
  return models;
}

/** @throws TypeError when what moderates chat is not among them: it would fail every request. */
function moderationModelsOf({ moderate, moderationEngines }: KitOptions): Kit['moderationModels'] {
  const models = createModelRegistry<ModerationEngineModel, ModerationEngine>(moderationEngines);
  if (moderate?.model !== undefined && !models.find(moderate.model)) {
    throw new TypeError(`moderate.model: no engine has the moderation model '${moderate.model}'`);
  }
  return models;
}
