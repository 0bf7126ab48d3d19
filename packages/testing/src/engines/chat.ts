import { setTimeout as sleep } from 'node:timers/promises';
import { allCapabilities, RequestError } from '@modelwire/ports';
import type { ChatEngine, ChatEvent, ChatModel, ChatRequest, EngineContext } from '@modelwire/ports';
import type { FaultPlan } from '../faults/plan.ts';
import { ParsedChatRequest } from '../replies/chat-request.ts';
import { isScriptError } from '../replies/chat-script.ts';
import type { MatchedReply, ChatScript } from '../replies/chat-script.ts';
import { errorOf, renderReply } from '../replies/events.ts';
import type { RenderedReply } from '../replies/events.ts';
import type { ParsedReply } from '../replies/rules.ts';
import type { ChatRequestInfo } from '../replies/types.ts';

export interface ScriptedChatInit {
  readonly script: ChatScript;
  readonly faults: FaultPlan;
  /** The only models. Default: any model ID is accepted. */
  readonly models: readonly string[] | undefined;
  readonly listed: readonly string[];
  readonly created: number;
  readonly id: (prefix: string) => string;
  /** Replies to requests that match no rule. Default: an error. */
  readonly otherwise?: (() => Promise<ChatEngine>) | undefined;
  readonly onUnmatched: (error: Error) => void;
}

/** A chat engine with scripted replies. It supports all parameters; a script may ignore them. */
export function scriptedChat(init: ScriptedChatInit): ChatEngine {
  const { script, faults, models, listed, created } = init;
  const modelList = (models ?? listed).map((id) => modelOf(id, created));
  const resolvedModels = new Map<string, ChatModel>();
  return {
    name: 'scripted',
    concurrency: 100_000,
    models: () => modelList,
    ...(models === undefined && {
      resolveModel(id: string) {
        let model = resolvedModels.get(id);
        if (!model) resolvedModels.set(id, (model = modelOf(id, created)));
        return model;
      },
    }),
    async *generate(request, context) {
      const requestInfo = new ParsedChatRequest(context.requestBody, () => context.signal, context.batchLine?.customId);
      if (context.batchLine) throwBatchLineFault(faults, requestInfo);
      let answer: MatchedReply | undefined;
      try {
        answer = await script.answer(requestInfo);
      } catch (error) {
        reportAndThrow(error, requestInfo, init);
      }
      if (answer) yield* sendReply(answer, requestInfo, request, init);
      else yield* unmatched(requestInfo, request, context, init);
    },
  };
}

/** Also reports an invalid script to `unmatched`, since the code under test may catch the error. */
function reportAndThrow(error: unknown, requestInfo: ChatRequestInfo, { onUnmatched }: ScriptedChatInit): never {
  if (isScriptError(error) && !requestInfo.signal.aborted) onUnmatched(error);
  throw error;
}

function throwBatchLineFault(faults: FaultPlan, requestInfo: ChatRequestInfo): void {
  const fault = faults.takeInternal('batch-line', requestInfo);
  if (fault) throw new RequestError(fault.message, { status: fault.status, code: fault.code });
}

async function* unmatched(
  requestInfo: ChatRequestInfo,
  request: ChatRequest,
  context: EngineContext,
  { script, otherwise, onUnmatched }: ScriptedChatInit,
): AsyncGenerator<ChatEvent | readonly ChatEvent[]> {
  if (!otherwise) {
    const error = script.unmatched(requestInfo);
    onUnmatched(error);
    throw error;
  }
  const engine = await otherwise();
  const [model = context.model] = engine.models();
  const { requestId, project, requestBody, signal, batchLine } = context;
  yield* engine.generate(
    { ...request, model: model.id },
    { requestId, project, requestBody, signal, batchLine, model },
  );
}

async function* sendReply(
  answer: MatchedReply,
  requestInfo: ChatRequestInfo,
  request: ChatRequest,
  init: ScriptedChatInit,
): AsyncGenerator<ChatEvent | readonly ChatEvent[]> {
  const { reply } = answer;
  const { error, delay } = reply;
  if (delay !== undefined) await sleep(delay, undefined, { signal: requestInfo.signal });
  if (error && (error.afterChunks ?? 0) === 0) throw errorOf(error);
  const { events, usage } = renderOrReport(answer, requestInfo, request, init);
  if (!error && reply.pace === undefined) {
    yield [...events, { type: 'usage', usage }];
    return;
  }
  let chunks = 0;
  for (const event of events) {
    if (error && chunks === error.afterChunks) break;
    if (event.type !== 'finish') await waitForPace(reply.pace, chunks++, requestInfo.signal);
    yield event;
  }
  if (error) throw errorOf(error);
  yield { type: 'usage', usage };
}

function renderOrReport(
  answer: MatchedReply,
  requestInfo: ChatRequestInfo,
  request: ChatRequest,
  init: ScriptedChatInit,
): RenderedReply {
  try {
    return renderReply(answer, { requestInfo, request, id: init.id });
  } catch (error) {
    return reportAndThrow(error, requestInfo, init);
  }
}

async function waitForPace(pace: ParsedReply['pace'], chunk: number, signal: AbortSignal): Promise<void> {
  const ms = chunk === 0 ? pace?.first : pace?.each;
  if (ms !== undefined && ms > 0) await sleep(ms, undefined, { signal });
}

const capabilities = allCapabilities({
  // The server kit adds speech and applies limits; scripts only have text.
  parameters: {
    audio: 'emulated',
    stop: 'emulated',
    max_completion_tokens: 'emulated',
    max_tokens: 'emulated',
    functions: 'emulated',
    function_call: 'emulated',
  },
  // What a script writes is what the program under test receives.
  structured_outputs: 'off',
});

function modelOf(id: string, created: number): ChatModel {
  return Object.freeze({ id, created, owned_by: 'modelwire-testing', capabilities });
}
