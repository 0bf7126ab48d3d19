import { runToolCall, startRun } from '@modelwire/core/internal/tools';
import type { Run, RunnableTool, RunToolsOptions, StandardSchema } from '@modelwire/core/internal/tools';
import type { ResponseInputItem } from '@modelwire/schema/types';
import type { ResponsesClient } from '../client.ts';
import type { ModelResponse } from '../output-text.ts';
import { parseResponse } from '../parse/parse.ts';
import { toRequest } from '../parse/request.ts';
import type { ParseParams } from '../parse/request.ts';
import type { ParsedCallOf } from '../parse/tool-calls.ts';
import { addUsage, continueResponse, noUsage, relaxToolChoice } from './next-request.ts';
import type { RunToolResultEvent, ToolRunEvent, ToolRunResult } from './run-events.ts';

/** Body of Create response, with tools to run. A forced `tool_choice` applies to the first request only. */
export interface RunToolsParams<S extends StandardSchema, T extends readonly RunnableTool[]> extends Omit<
  ParseParams<S, T>,
  'tools'
> {
  readonly tools: T;
  /** Whether responses are streamed, with `delta` events. Default false. */
  readonly stream?: boolean;
}

/** A run, which continues whether or not it is read. Iterate its events once, await `final()`, or do both. */
export type ToolRun<S extends StandardSchema, T extends readonly RunnableTool[]> = Run<
  ToolRunEvent<S, T>,
  ToolRunResult<S, T>
>;

/**
 * Sends the request, runs the tools that the model calls (all calls of one response in parallel), sends their outputs back, and repeats until
 * the model replies without tool calls or a limit is reached. A stored response is continued by its ID; with `store: false` all items are
 * sent again.
 */
export function runTools<
  S extends StandardSchema = StandardSchema<string>,
  const T extends readonly RunnableTool[] = [],
>(
  responses: ResponsesClient,
  params: RunToolsParams<S, T>,
  { maxSteps = 10, maxTokens = Infinity, onError = 'report', signal, ...options }: RunToolsOptions = {},
): ToolRun<S, T> {
  const tools = new Map(params.tools.map((tool) => [tool.name, tool]));
  type Call = ParsedCallOf<T[number]>;
  return startRun<Exclude<ToolRunEvent<S, T>, { type: 'final' }>, ToolRunResult<S, T>>(
    async ({ signal, isRead, push, raceAbort }) => {
      // Converted once, so that an invalid schema fails before the first request.
      const { stream, ...parseParams } = params;
      let body = toRequest(parseParams);
      const { input = [] } = body;
      const items: ResponseInputItem[] = typeof input === 'string' ? [{ role: 'user', content: input }] : [...input];
      let usage = noUsage;
      for (let step = 1; ; step++) {
        const response = await raceAbort(createResponse(step));
        usage = addUsage(usage, response.usage);
        const { outcome } = await raceAbort(parseResponse(parseParams, response));
        items.push(...response.output);
        push({ type: 'response', step, response });
        const result = { outcome, response, items, usage, steps: step };
        if (outcome.type !== 'tool_calls') return { endReason: 'completed', ...result };
        if (step >= maxSteps) return { endReason: 'max_steps', ...result };
        if (usage.total_tokens >= maxTokens) return { endReason: 'max_tokens', ...result };
        const outputs = await raceAbort(Promise.all(outcome.calls.map((call) => runTool(call, step))));
        items.push(...outputs);
        const { tool_choice } = body;
        body = {
          ...body,
          ...continueResponse(response, [...items], outputs),
          ...(tool_choice !== undefined && { tool_choice: relaxToolChoice(tool_choice) }),
        };
      }

      async function createResponse(step: number): Promise<ModelResponse> {
        const callOptions = { ...options, signal };
        if (stream !== true) return responses.create({ ...body, stream: false }, callOptions);
        const reply = responses.stream(body, callOptions);
        if (isRead()) for await (const event of reply) push({ type: 'delta', step, event });
        return reply.final();
      }

      async function runTool(call: Call, step: number): Promise<RunToolResultEvent<Call>['item']> {
        push({ type: 'tool_call', step, call });
        const { text: output, ...ended } = await runToolCall(call, tools, signal);
        const item = { type: `${call.call.type}_output` as const, call_id: call.id, output };
        // No event for a tool that ends after the run.
        if (!signal.aborted) push({ type: 'tool_result', step, ...ended, item, call });
        if (ended.error !== undefined && onError === 'throw') throw ended.error;
        return item;
      }
    },
    signal,
  );
}
