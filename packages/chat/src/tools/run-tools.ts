import { AbortError, isModelwireError, ModelwireError } from '@modelwire/core';
import type { CallOptions } from '@modelwire/core';
import type { ChatCompletion, ChatCompletionMessageParam, CompletionUsage } from '@modelwire/schema/types';
import type { ChatClient } from '../client.ts';
import { parseCompletion } from '../parse/parse.ts';
import { toRequest } from '../parse/request.ts';
import type { ParseParams } from '../parse/request.ts';
import type { StandardSchema } from '../schema/standard-schema.ts';
import { runToolCall } from './run-tool-call.ts';
import { createEventQueue } from './event-queue.ts';
import { relaxToolChoice, toMessageParam } from './next-request.ts';
import type { ToolRunEvent, ToolRunResult } from './run-events.ts';
import type { RunnableTool } from './tool.ts';
import { addUsage } from './usage.ts';

/** Body of Create chat completion, with tools to run. A forced `tool_choice` applies to the first request only. */
export interface RunToolsParams<S extends StandardSchema, T extends readonly RunnableTool[]> extends Omit<
  ParseParams<S, T>,
  'n' | 'tools'
> {
  readonly tools: T;
  /** Whether replies are streamed, with `delta` events. Default false. */
  readonly stream?: boolean;
}

/** Without an idempotency key, which would be the same for all requests of the run. */
export interface RunToolsOptions extends Omit<CallOptions, 'idempotencyKey'> {
  /** The maximum number of requests. Default 10. */
  readonly maxSteps?: number;
  /** Sends no further request after the run has used this many tokens, by the server's usage. Default none. */
  readonly maxTokens?: number;
  /** Whether an error of a tool or invalid arguments are reported to the model, or fail the run. Default `report`. */
  readonly onError?: 'report' | 'throw';
}

/** A run, which continues whether or not it is read. Iterate its events once, await `final()`, or do both. */
export interface ToolRun<S extends StandardSchema, T extends readonly RunnableTool[]> extends AsyncIterable<
  ToolRunEvent<S, T>,
  void,
  undefined
> {
  /** Rejects with a `ModelwireError`: a `ToolError` of `onError: 'throw'`, an `AbortError`, or that of a request. */
  final(): Promise<ToolRunResult<S, T>>;
  /** Aborts the pending request and all tools immediately, like the caller's signal and like leaving the loop. */
  abort(): void;
}

/**
 * Sends the request, runs the tools that the model calls (all calls of one reply in parallel), sends their results back, and repeats until
 * the model replies without tool calls or a limit is reached.
 */
export function runTools<
  S extends StandardSchema = StandardSchema<string>,
  const T extends readonly RunnableTool[] = [],
>(
  chat: ChatClient,
  params: RunToolsParams<S, T>,
  { maxSteps = 10, maxTokens = Infinity, onError = 'report', signal, ...options }: RunToolsOptions = {},
): ToolRun<S, T> {
  const controller = new AbortController();
  const queue = createEventQueue<ToolRunEvent<S, T>>();
  const tools = new Map(params.tools.map((tool) => [tool.name, tool]));
  const aborted = Promise.withResolvers<never>();
  // Avoid an unhandled rejection where nothing waits for it.
  aborted.promise.catch(() => undefined);

  const onAbort = (): void => abort(signal?.reason);
  if (signal?.aborted === true) onAbort();
  else signal?.addEventListener('abort', onAbort);

  // In the next microtask, so that a loop that starts now receives the events of the first reply, too.
  const done = Promise.resolve().then(loop).then(finish, fail);
  done.catch(() => undefined);
  return {
    final: () => done,
    abort: () => abort(),
    [Symbol.asyncIterator]: () => queue.iterate(() => abort()),
  };

  async function loop(): Promise<ToolRunResult<S, T>> {
    // Converted once, so that an invalid schema fails before the first request.
    const { stream = false, ...parseParams } = params;
    const body = toRequest(parseParams);
    let { tool_choice } = body;
    const messages: ChatCompletionMessageParam[] = [...body.messages];
    let usage: CompletionUsage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
    for (let step = 1; ; step++) {
      const request = { ...body, messages: [...messages], ...(tool_choice !== undefined && { tool_choice }) };
      const completion = await raceAbort(createCompletion(request, stream, step));
      usage = addUsage(usage, completion.usage);
      const { outcome } = await raceAbort(parseCompletion(parseParams, completion));
      const { message } = outcome.choice;
      messages.push(toMessageParam(message));
      queue.push({ type: 'message', step, message, completion });
      const result = { outcome, completion, messages, usage, steps: step };
      if (outcome.type !== 'tool_calls') return { endReason: 'completed', ...result };
      if (step >= maxSteps) return { endReason: 'max_steps', ...result };
      if (usage.total_tokens >= maxTokens) return { endReason: 'max_tokens', ...result };
      const toolMessages = outcome.calls.map((call) => run(call, step));
      messages.push(...(await raceAbort(Promise.all(toolMessages))));
      if (tool_choice !== undefined) tool_choice = relaxToolChoice(tool_choice);
    }
  }

  async function createCompletion(
    request: ReturnType<typeof toRequest>,
    stream: boolean,
    step: number,
  ): Promise<ChatCompletion> {
    const callOptions = { ...options, signal: controller.signal };
    if (!stream) return chat.completions.create({ ...request, stream: false }, callOptions);
    const reply = chat.completions.stream(request, callOptions);
    if (queue.isRead) for await (const event of reply) queue.push({ type: 'delta', step, event });
    return reply.final();
  }

  type Call = Extract<ToolRunEvent<S, T>, { type: 'tool_call' }>['call'];

  async function run(call: Call, step: number): Promise<ChatCompletionMessageParam> {
    queue.push({ type: 'tool_call', step, call });
    const toolResult = await runToolCall(call, tools, controller.signal);
    // No event for a tool that ends after the run.
    if (!controller.signal.aborted) queue.push({ type: 'tool_result', step, ...toolResult, call });
    if (toolResult.error !== undefined && onError === 'throw') throw toolResult.error;
    return toolResult.message;
  }

  function raceAbort<R>(promise: Promise<R>): Promise<R> {
    return Promise.race([aborted.promise, promise]);
  }

  function abort(cause?: unknown): void {
    if (controller.signal.aborted) return;
    const error = new AbortError('The caller aborted the run.', { cause });
    aborted.reject(error);
    controller.abort(error);
    queue.end(error, true);
  }

  function finish(result: ToolRunResult<S, T>): ToolRunResult<S, T> {
    signal?.removeEventListener('abort', onAbort);
    queue.push({ type: 'final', result });
    queue.end();
    return result;
  }

  function fail(thrown: unknown): never {
    signal?.removeEventListener('abort', onAbort);
    const error = isModelwireError(thrown)
      ? thrown
      : new ModelwireError('The run failed: see the cause.', { cause: thrown });
    // Aborts the tools that are still running.
    controller.abort(error);
    queue.end(error);
    throw error;
  }
}
