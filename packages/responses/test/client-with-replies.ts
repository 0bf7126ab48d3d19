import { json, startRecordingServer } from '@modelwire/core/testing';
import type { RecordingServer } from '@modelwire/core/testing';
import { createResponses } from '../src/index.ts';
import type { ResponseObject, ResponseOutputItem, ResponsesClient } from '../src/index.ts';
import { hello } from './events.ts';

/** A completed response with this output. */
export const replying = (
  output: readonly ResponseOutputItem[],
  fields: Partial<ResponseObject> = {},
): ResponseObject => ({
  ...hello,
  output,
  ...fields,
});

export function functionCall(name: string, text: string, call_id = 'call_1'): ResponseOutputItem {
  return { type: 'function_call', id: `fc_${call_id}`, call_id, name, arguments: text, status: 'completed' };
}

export function message(text: string): ResponseOutputItem {
  const content = [{ type: 'output_text' as const, text, annotations: [] }];
  return { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content };
}

/** A client of a server that sends these replies in turn, and then repeats the last one. */
export async function clientWithReplies(
  ...replies: readonly ResponseObject[]
): Promise<{ readonly responses: ResponsesClient; readonly recorded: RecordingServer['recorded'] }> {
  const { baseURL, recorded } = await startRecordingServer((response, _, count) => {
    json(response, replies[Math.min(count, replies.length) - 1]);
  });
  return { responses: createResponses({ baseURL, maxRetries: 0 }), recorded };
}
