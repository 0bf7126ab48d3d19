import { createServer } from '@modelwire/server';
import type { ChatEngine } from '@modelwire/ports';
import type { ModelwireServer } from '@modelwire/server';
import { openMemoryStores } from '@modelwire/store-sqlite';
import type { FaultPlan } from '../faults/plan.ts';
import { scriptedChat } from '../engines/chat.ts';
import { testEmbeddings } from '../engines/embeddings.ts';
import { silentSpeech } from '../engines/speech.ts';
import { scriptedModeration, scriptedVideo } from '../engines/jobs.ts';
import type { ChatScript } from '../replies/chat-script.ts';
import type { RuleSet } from '../replies/rule-set.ts';
import type { ParsedModerationRule, ParsedVideoRule } from '../replies/job-rules.ts';
import { memoryBlobs } from './memory-blobs.ts';
import type { ClockAndIds } from './clock-and-ids.ts';
import type { ResolvedOptions } from './options.ts';

/** The rules of a server with their usage counts. */
export interface Scripts {
  readonly chat: ChatScript;
  readonly moderation: RuleSet<ParsedModerationRule>;
  readonly video: RuleSet<ParsedVideoRule>;
  readonly faults: FaultPlan;
}

export interface ScriptedServer {
  readonly server: ModelwireServer;
  close(): Promise<void>;
}

/** 1 January 2026, the creation time of all models of tests. */
const created = 1_767_225_600;

/** Creates a server with engines that follow a script and with stores in memory. */
export function createScriptedServer(
  options: ResolvedOptions,
  scripts: Scripts,
  { clock, createId }: ClockAndIds,
  onUnmatched: (error: Error) => void,
): ScriptedServer {
  const stores = openMemoryStores({ clock });
  const blobs = memoryBlobs();
  const chat = scriptedChat({
    script: scripts.chat,
    faults: scripts.faults,
    models: options.models,
    listed: namedModels(scripts.chat),
    created,
    id: createId ?? ((prefix) => prefix + crypto.randomUUID().replaceAll('-', '').slice(0, 24)),
    otherwise: options.unmatched === 'simulator' ? simulator() : undefined,
    onUnmatched,
  });
  const {
    engines = [],
    embeddingEngines = [],
    moderationEngines = [],
    videoEngines = [],
    ...serverOptions
  } = options.serverOptions;
  const server = createServer({
    keys: [options.apiKey],
    stores,
    blobs,
    speech: silentSpeech(),
    clock,
    ...(createId && { createId }),
    engineConcurrency: 100_000,
    batchRetryDelayMs: 1,
    jobTimes: { retryMs: 1 },
    ...serverOptions,
    engines: [...engines, chat],
    embeddingEngines: [...embeddingEngines, testEmbeddings(created)],
    moderationEngines: [...moderationEngines, scriptedModeration({ rules: scripts.moderation, created, onUnmatched })],
    videoEngines: [
      ...videoEngines,
      scriptedVideo({ rules: scripts.video, faults: scripts.faults, created, onUnmatched }),
    ],
  });
  return {
    server,
    async close() {
      // Does not wait for jobs that a test has left running.
      await server.close(1);
      await blobs.close();
      await stores.close();
    },
  };
}

/** Loaded on first use, since it loads a tokenizer. */
function simulator(): () => Promise<ChatEngine> {
  let engine: Promise<ChatEngine> | undefined;
  return () => (engine ??= import('@modelwire/engine-simulator').then(({ createSimulator }) => createSimulator({})));
}

/** The models that rules name exactly; `scripted` if there are none. */
function namedModels({ ruleSet }: ChatScript): readonly string[] {
  const named = ruleSet.rules().flatMap(({ rule }) => (typeof rule.when?.model === 'string' ? [rule.when.model] : []));
  return named.length === 0 ? ['scripted'] : [...new Set(named)];
}
