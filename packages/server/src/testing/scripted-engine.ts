import { setImmediate } from 'node:timers/promises';
import { capabilities } from '@modelwire/ports';
import type { CapabilitiesInit, ChatEngine, ChatEvent, ChatRequest, EngineContext, Relayed } from '@modelwire/ports';

type Script = (request: ChatRequest, context: EngineContext) => AsyncIterable<ChatEvent> | Iterable<ChatEvent>;

export interface ScriptedEngine extends ChatEngine {
  /** The requests of the server, in order. */
  readonly asked: { readonly request: ChatRequest; readonly context: EngineContext }[];
}

/** An engine for tests of the server: one model `scripted`, whose events the test writes. */
export function scriptedEngine(
  script: Script,
  init: {
    readonly can?: CapabilitiesInit;
    readonly id?: string;
    readonly concurrency?: number;
    readonly relay?: (context: EngineContext) => Promise<Relayed>;
    /** Token count of any prompt. Default: none. */
    readonly promptTokens?: number;
  } = {},
): ScriptedEngine {
  const { can, id = 'scripted', concurrency, relay, promptTokens } = init;
  const models = [{ id, created: 1_700_000_000, owned_by: 'tests', capabilities: capabilities(can) }];
  const asked: { request: ChatRequest; context: EngineContext }[] = [];
  return {
    name: 'scripted',
    asked,
    models: () => models,
    async *generate(request, context) {
      asked.push({ request, context });
      yield* script(request, context);
    },
    ...(relay && { relay: (_request: ChatRequest, context: EngineContext) => relay(context) }),
    ...(concurrency !== undefined && { concurrency }),
    ...(promptTokens !== undefined && { countPromptTokens: () => promptTokens }),
  };
}

/** The content of the first message of a request. */
export function contentOf({ messages }: Pick<ChatRequest, 'messages'>): string {
  const content = messages[0]?.content;
  return typeof content === 'string' ? content : '';
}

/** Words as text events of choice 0, then a finish and usage. */
export function* says(...words: readonly string[]): Generator<ChatEvent> {
  for (const text of words) yield { type: 'text', choice: 0, text };
  yield { type: 'finish', choice: 0, reason: 'stop' };
  yield { type: 'usage', usage: { prompt_tokens: 3, completion_tokens: words.length, total_tokens: 3 + words.length } };
}

/** An engine that fails with a secret after its first text, when the test calls `fail`: the client has its response by then. */
export function failingEngine(): ScriptedEngine & { readonly fail: () => void } {
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined);
  const engine = scriptedEngine(async function* (): AsyncGenerator<ChatEvent> {
    yield { type: 'text', choice: 0, text: 'Hi' };
    await failed.promise;
  });
  return { ...engine, fail: () => failed.reject(new Error('secret')) };
}

/** Yields each event in a separate tick, like a real model. */
export async function* slowly(events: Iterable<ChatEvent>): AsyncGenerator<ChatEvent> {
  for (const event of events) {
    await setImmediate();
    yield event;
  }
}
