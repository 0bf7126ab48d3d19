import { isRecord } from '@modelwire/adapter-kit';
import type { CompletionStore } from '@modelwire/ports';
import { usageSchema } from '@modelwire/schema/internal';
import type { BatchOutputLine, CompletionUsage } from '@modelwire/schema/types';
import { Failure } from './failures.ts';
import type { DatasetItem } from './dataset-item.ts';

/** One of the replies that are compared. */
export interface ComparedReply {
  readonly text: string;
  readonly model: string;
  readonly usage: CompletionUsage | undefined;
  readonly durationMs: number | undefined;
}

/** The reply that the dataset has. */
export function recordedReply({ sample: { model, choices, usage, duration_ms } }: DatasetItem): ComparedReply {
  return {
    text: textOf(choices[0]?.message),
    model,
    usage: usage ?? undefined,
    durationMs: duration_ms ?? undefined,
  };
}

/** The reply in the result of a batch line, with its duration if it was stored, or why there is none. */
export async function resultReply(
  result: BatchOutputLine | Failure,
  completions: Pick<CompletionStore, 'get'>,
): Promise<ComparedReply | Failure> {
  if (result instanceof Failure) return result;
  const body = result.response?.body;
  const choices: unknown = body?.['choices'];
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  if (!body || !isRecord(choice)) return new Failure('The result is no chat completion.');
  const { id, model } = body;
  const stored = typeof id === 'string' ? await completions.get(id) : undefined;
  return {
    text: textOf(choice['message']),
    model: typeof model === 'string' ? model : '',
    usage: usageSchema.safeParse(body['usage']).data,
    durationMs: stored?.duration_ms ?? undefined,
  };
}

/** The text of a message, or the functions that it calls. */
function textOf(message: unknown): string {
  if (!isRecord(message)) return '';
  const { content, refusal, tool_calls: calls } = message;
  if (typeof content === 'string' && content !== '') return content;
  if (Array.isArray(calls))
    return JSON.stringify(calls.map((call: unknown) => isRecord(call) && (call['function'] ?? call['custom'])));
  return typeof refusal === 'string' ? refusal : '';
}
