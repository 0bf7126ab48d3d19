import { addUsage } from '@modelwire/core';
import { runToolCall, startRun } from '@modelwire/core/internal/tools';
import type { Run, RunnableTool, RunToolsOptions, StandardSchema } from '@modelwire/core/internal/tools';
import type { ChatCompletion, ChatCompletionMessageParam, CompletionUsage } from '@modelwire/schema/types';
import type { ChatClient } from '../client.ts';
import { parseCompletion } from '../parse/parse.ts';
import { toRequest } from '../parse/request.ts';
import type { ParseParams } from '../parse/request.ts';
import type { ParsedCallOf } from '../parse/tool-calls.ts';
import { relaxToolChoice, toMessageParam } from './next-request.ts';
import type { ToolRunEvent, ToolRunResult } from './run-events.ts';

/** Body of Create chat completion, with tools to run. A forced `tool_choice` applies to the first request only. */
export interface RunToolsParams<S extends StandardSchema, T extends readonly RunnableTool[]> extends Omit<
  ParseParams<S, T>,
  'n' | 'tools'
> {
  readonly tools: T;
  /** Whether replies are streamed, with `delta` events. Default false. */
  readonly stream?: boolean;
}

/** A run, which continues whether or not it is read. Iterate its events once, await `final()`, or do both. */
export type ToolRun<S extends StandardSchema, T extends readonly RunnableTool[]> = Run<
  ToolRunEvent<S, T>,
  ToolRunResult<S, T>
>;

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
  const tools = new Map(params.tools.map((tool) => [tool.name, tool]));
  return startRun<Exclude<ToolRunEvent<S, T>, { type: 'final' }>, ToolRunResult<S, T>>(
    async ({ signal, isRead, push, raceAbort }) => {
      // Converted once, so that an invalid schema fails before the first request.
      const { stream, ...parseParams } = params;
      const body = toRequest(parseParams);
      let { tool_choice } = body;
      const messages: ChatCompletionMessageParam[] = [...body.messages];
      let usage: CompletionUsage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
      for (let step = 1; ; step++) {
        const request = { ...body, messages: [...messages], ...(tool_choice !== undefined && { tool_choice }) };
        const completion = await raceAbort(createCompletion(request, step));
        usage = addUsage(usage, completion.usage);
        const { outcome } = await raceAbort(parseCompletion(parseParams, completion));
        const { message } = outcome.choice;
        messages.push(toMessageParam(message));
        push({ type: 'message', step, message, completion });
        const result = { outcome, completion, messages, usage, steps: step };
        if (outcome.type !== 'tool_calls') return { endReason: 'completed', ...result };
        if (step >= maxSteps) return { endReason: 'max_steps', ...result };
        if (usage.total_tokens >= maxTokens) return { endReason: 'max_tokens', ...result };
        messages.push(...(await raceAbort(Promise.all(outcome.calls.map((call) => runTool(call, step))))));
        if (tool_choice !== undefined) tool_choice = relaxToolChoice(tool_choice);
      }

      async function createCompletion(request: typeof body, step: number): Promise<ChatCompletion> {
        const callOptions = { ...options, signal };
        if (stream !== true) return chat.completions.create({ ...request, stream: false }, callOptions);
        const reply = chat.completions.stream(request, callOptions);
        if (isRead()) for await (const event of reply) push({ type: 'delta', step, event });
        return reply.final();
      }

      async function runTool(call: ParsedCallOf<T[number]>, step: number): Promise<ChatCompletionMessageParam> {
        push({ type: 'tool_call', step, call });
        const { text, ...outcome } = await runToolCall(call, tools, signal);
        const message = { role: 'tool' as const, tool_call_id: call.id, content: text };
        // No event for a tool that ends after the run.
        if (!signal.aborted) push({ type: 'tool_result', step, ...outcome, message, call });
        if (outcome.error !== undefined && onError === 'throw') throw outcome.error;
        return message;
      }
    },
    signal,
  );
}
