import { isStorageUnavailable } from '@modelwire/ports';
import type { NativeResponseBody } from '@modelwire/ports';
import type { ChatCompletionCreateParams, ResponseObject, ResponseOutputItem } from '@modelwire/schema/types';
import { logError } from '../../call.ts';
import type { Call } from '../../call.ts';
import type { ServerContext } from '../../context.ts';
import { RequestError, toRequestError } from '../../errors.ts';
import { runAdmitted } from '../../admission/admit.ts';
import { moderationReportOf } from '../../generation/moderators.ts';
import { engineContextOf, generate } from '../../generation/generate.ts';
import type { Generation } from '../../generation/generate.ts';
import { startGeneration } from '../../generation/start-generation.ts';
import { nowInSeconds } from '../../clock.ts';
import { EventSequence, emitFailure, noEvents } from './event-sequence.ts';
import type { WriteEvent, ResponseEventEmitter } from './event-sequence.ts';
import { checkNative } from './check-native.ts';
import { NativeChatEvents, finishReasonOf } from './native-chat-events.ts';
import { outcomeOf, isForwarded, forwardedEvent } from './native-events.ts';
import type { PreparedResponse } from './prepare-response.ts';
import { responseUsage, summaryOf } from './response-object.ts';
import { ResponseOutput } from './response-output.ts';

interface ResponseRunOptions {
  readonly prepared: PreparedResponse;
  readonly call: Call<unknown>;
  readonly server: ServerContext;
  /** Called with each event of the stream. Default: no events are made. */
  readonly write?: WriteEvent;
  /** Called after events were emitted, for backpressure. False ends the run, because the client has disconnected. */
  readonly afterEvents?: () => boolean | Promise<boolean>;
  /** Stores the ended response, also a failed one, before the client is notified. */
  readonly store?: ((response: ResponseObject) => Promise<void>) | undefined;
  /**
   * Whether an error is thrown. Otherwise it becomes the events `error` and `response.failed`, and the response has the status `failed`.
   * Default: always thrown.
   */
  readonly mayThrow?: () => boolean;
  /** Called with the error of a response that has the status `failed`. */
  readonly onFailure?: (error: RequestError) => void;
  /** Number of the first event. When given, `response.created` was sent before: the first event is `response.in_progress`. */
  readonly firstSequenceNumber?: number;
}

/**
 * Generates a response. Resolves to the response that has ended: completed, incomplete, or failed where `mayThrow` does not allow to throw.
 *
 * @throws what the engine throws, and a 4xx or 5xx where the request is not admitted.
 */
export async function runResponse(options: ResponseRunOptions): Promise<ResponseObject> {
  const { prepared, mayThrow = () => true } = options;
  const run = new ResponseRun(options);
  try {
    return await run.generate();
  } catch (thrown) {
    // After an outage of the storage, the response may be stored: that comes first.
    const cause = isStorageUnavailable(thrown) ? thrown : (options.call.client.reason ?? thrown);
    const error = prepared.translated.translateError(toRequestError(cause));
    if (mayThrow()) throw error;
    logError(options.call.logRecord, error);
    options.onFailure?.(error);
    return await run.fail(error);
  }
}

class ResponseRun {
  readonly #options: ResponseRunOptions;
  readonly #output: ResponseOutput;
  readonly #events: ResponseEventEmitter;
  /** Output items of an engine that received the native request. */
  #nativeItems: readonly ResponseOutputItem[] | undefined;
  #isOpen = false;
  /** Whether storing was tried: its outcome may be unknown, and it is not tried twice. */
  #isStoring = false;
  #tier = 'default';

  constructor(options: ResponseRunOptions) {
    const { write, prepared, firstSequenceNumber } = options;
    const { body, translated } = prepared;
    this.#options = options;
    this.#events = write ? new EventSequence(write, firstSequenceNumber) : noEvents;
    this.#output = new ResponseOutput({
      events: this.#events,
      createId: options.server.createId,
      logprobs: translated.chat.logprobs === true,
      reasoning: {
        isSummary: summaryOf(body) !== undefined,
        hasEncryptedContent: body.include?.includes('reasoning.encrypted_content') === true,
      },
      names: translated.tools.names,
      isCompaction: prepared.isCompaction,
    });
  }

  generate(): Promise<ResponseObject> {
    const { prepared, server } = this.#options;
    const { chat } = prepared.translated;
    // An engine with native responses truncates the input itself.
    const truncatesInput = prepared.body.truncation === 'auto' && !prepared.native;
    return truncatesInput ? this.#generateTruncated(chat) : this.#generate(chat, server);
  }

  /** Removes the oldest turns until the conversation fits into the context of the model. */
  async #generateTruncated(request: ChatCompletionCreateParams): Promise<ResponseObject> {
    const { server } = this.#options;
    const context = request.web_search_options ? withSingleSearch(server) : server;
    for (let chat = request; ;) {
      try {
        return await this.#generate(chat, context);
      } catch (error) {
        const shorter = !this.#isOpen && exceedsContext(error) ? withoutOldestTurns(chat) : undefined;
        if (!shorter) throw error;
        chat = shorter;
      }
    }
  }

  async #generate(chat: ChatCompletionCreateParams, server: ServerContext): Promise<ResponseObject> {
    const { call, prepared } = this.#options;
    // The tools of a native response run at the engine.
    const readsBeyondBody = prepared.native !== undefined;
    // A background response had space when it was created.
    const isStored = prepared.base.store && !call.background;
    const conversation = prepared.base.conversation?.id;
    const options = { readsBeyondBody, isStored, conversation };
    const generation = await startGeneration(call, chat, server, options);
    return runAdmitted(generation.admission, async () => {
      this.#tier = generation.metadata.service_tier;
      const incomplete = await this.#consume(generation);
      const status = incomplete === null ? 'completed' : 'incomplete';
      const response = this.#snapshot(status, {
        completed_at: incomplete === null ? nowInSeconds(server.clock) : null,
        incomplete_details: incomplete,
        usage: responseUsage(generation.accountant.current),
        moderation: moderationReportOf(generation)?.ofResponse,
      });
      if (this.#options.store) await this.#store(response);
      this.#events.emit({ type: `response.${status}`, response });
      return response;
    });
  }

  async fail(error: RequestError): Promise<ResponseObject> {
    this.#open();
    const { code, message } = error;
    const response = { ...this.#snapshot('failed'), error: { code, message } };
    if (!this.#isStoring) {
      // The client receives the error of the response, whether or not the response can be stored.
      await this.#store(response).catch((thrown: unknown) => {
        this.#options.server.options.report('a failed response was not stored', thrown);
      });
    }
    emitFailure(this.#events, response, error);
    return response;
  }

  async #store(response: ResponseObject): Promise<void> {
    this.#isStoring = true;
    await this.#options.store?.(response);
  }

  /** Why the response is incomplete; null when it is complete. @throws if the engine ended without a finish reason. */
  async #consume(generation: Generation): Promise<ResponseObject['incomplete_details']> {
    const { native } = this.#options.prepared;
    if (native) return this.#consumeNative(generation, native);
    for await (const batch of generate(generation)) {
      this.#tier = generation.accountant.tier ?? this.#tier;
      for (const event of batch) {
        this.#open(generation);
        if (event.type === 'function_call' || event.type === 'audio' || event.type === 'echo') continue;
        if (event.type !== 'finish') this.#output.add(event);
      }
      await this.#waitForReader();
    }
    const [reason = ''] = generation.accountant.finishReasons;
    const incomplete = incompleteReason(reason);
    this.#output.end(incomplete === null ? 'completed' : 'incomplete');
    return incomplete;
  }

  /** Passes on the events and items of an engine with native responses. */
  async #consumeNative(
    generation: Generation,
    body: NativeResponseBody,
  ): Promise<ResponseObject['incomplete_details']> {
    const { accountant, resolvedModel, admission } = generation;
    const { observation } = admission;
    const onEvent = observation?.onEvent?.bind(observation);
    const observed = onEvent && new NativeChatEvents(onEvent);
    if (!resolvedModel.engine.respond) throw new Error('the engine does not support native responses');
    const { grammars } = generation.plan.emulation;
    const received = resolvedModel.engine.respond(body, engineContextOf(generation));
    const onInvalid = (): void => void (this.#options.call.logRecord.outputSteps = ['failed']);
    for await (const events of grammars ? checkNative(received, grammars, onInvalid) : received) {
      for (const event of events) {
        const outcome = outcomeOf(event);
        if (outcome) {
          this.#open(generation);
          this.#nativeItems = outcome.output;
          if (outcome.usage) accountant.report(outcome.usage);
          if (outcome.serviceTier !== undefined) this.#tier = outcome.serviceTier;
          const reason = finishReasonOf(outcome);
          accountant.addFinishReason(reason);
          observed?.end(outcome, reason);
          return outcome.incompleteDetails;
        }
        if (!isForwarded(event)) continue;
        this.#open(generation);
        observed?.add(event);
        if (event.type.endsWith('.delta')) accountant.count(1);
        this.#events.emit(forwardedEvent(event));
      }
      await this.#waitForReader();
    }
    throw new Error('the engine ended without the last event');
  }

  /** Waits until the client has read enough. @throws if it has disconnected. */
  async #waitForReader(): Promise<void> {
    const canContinue = (await this.#options.afterEvents?.()) ?? true;
    if (!canContinue) throw new Error('the client disconnected');
  }

  /** Emits the first events, when there is output: until then an error can become an HTTP status. */
  #open(generation?: Generation): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    const { firstSequenceNumber, prepared } = this.#options;
    const response = this.#snapshot('in_progress');
    if (firstSequenceNumber === undefined) this.#events.emit({ type: 'response.created', response });
    this.#events.emit({ type: 'response.in_progress', response });
    const searchResults = generation?.plan.request.search_results;
    const search = generation?.plan.emulation.search;
    if (!searchResults || !search) return;
    const sources = prepared.body.include?.includes('web_search_call.action.sources')
      ? searchResults.map(({ url }) => url)
      : undefined;
    this.#output.addWebSearch(generation.plan.request.search_query ?? '', sources);
  }

  #snapshot(status: ResponseObject['status'], outcome?: ResponseOutcome): ResponseObject {
    return {
      ...this.#options.prepared.base,
      service_tier: this.#tier,
      status,
      completed_at: outcome?.completed_at ?? null,
      error: null,
      incomplete_details: outcome?.incomplete_details ?? null,
      output: [...(this.#nativeItems ?? this.#output.items)],
      usage: outcome?.usage ?? null,
      ...(outcome?.moderation && { moderation: outcome.moderation }),
    };
  }
}

/** The fields that are known when the response has ended. */
type ResponseOutcome = Pick<ResponseObject, 'completed_at' | 'incomplete_details' | 'usage' | 'moderation'>;

function incompleteReason(finish: string): ResponseObject['incomplete_details'] {
  if (finish === 'length') return { reason: 'max_output_tokens' };
  return finish === 'content_filter' ? { reason: 'content_filter' } : null;
}

/**
 * The context with a web search that runs once and keeps its outcome: a response whose input is truncated to fit the model calls the engine
 * several times, but searches once. `max_tool_calls`, which is at least 1, therefore always holds.
 */
function withSingleSearch(server: ServerContext): ServerContext {
  const { webSearch } = server.options;
  if (!webSearch) return server;
  let result: ReturnType<typeof webSearch.search> | undefined;
  const single = {
    ...webSearch,
    search: (...query: Parameters<typeof webSearch.search>) => (result ??= webSearch.search(...query)),
  };
  return { ...server, options: { ...server.options, webSearch: single } };
}

/** Whether a request failed because its input exceeds the context of the model. */
function exceedsContext(thrown: unknown): boolean {
  return thrown instanceof RequestError && thrown.code === 'context_length_exceeded';
}

/**
 * Removes the older half of the turns of a request. A turn starts with a message of the user, so that calls keep their outputs; instructions
 * stay. Undefined when there is one turn left.
 */
function withoutOldestTurns(chat: ChatCompletionCreateParams): ChatCompletionCreateParams | undefined {
  const { messages } = chat;
  const starts = messages.flatMap(({ role }, index) => (role === 'user' ? [index] : []));
  const first = starts[Math.ceil(starts.length / 2)];
  if (first === undefined) return undefined;
  const instructions = messages.slice(0, 1).filter(({ role }) => role === 'system');
  return { ...chat, messages: [...instructions, ...messages.slice(first)] };
}
