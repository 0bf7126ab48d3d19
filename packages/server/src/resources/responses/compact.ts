import type {
  CompactedResponse,
  ResponseCompactParams,
  ResponseItem,
  ResponseObject,
  ResponseUsage,
} from '@modelwire/schema/types';
import { withBody } from '../../call.ts';
import type { Call } from '../../call.ts';
import type { ServerContext } from '../../context.ts';
import { RequestError } from '../../errors.ts';
import type { Reply } from '../../http/reply.ts';
import { randomId } from '../../ids.ts';
import { nowInSeconds } from '../../clock.ts';
import { resolveReferences } from '../../items/resolve-references.ts';
import { toStoredItems } from '../../items/stored-items.ts';
import { encodeCompaction } from './compaction.ts';
import { readHistory } from './history.ts';
import { prepareResponse } from './prepare-response.ts';
import { runResponse } from './run-response.ts';

const summaryPrompt =
  'Summarize this conversation so that another assistant can continue it without having seen it. Keep facts, decisions, results of tools, ' +
  'names, numbers and open questions. Reply with the summary only.';

/** POST /responses/compact: the messages of the user, and a model-generated summary that replaces everything else. */
export async function compactResponse(call: Call<ResponseCompactParams>, server: ServerContext): Promise<Reply> {
  const { previous_response_id, input = [], ...body } = withoutTools(call.body);
  const history = await readHistory(
    { ...(previous_response_id !== undefined && { previous_response_id }) },
    call,
    server,
  );
  const items = [...history, ...(await inputOf(input, call, server))];
  const conversation = items.filter(({ type }) => type !== 'additional_tools');
  const summaryInput = toStoredItems([...conversation, { role: 'user', content: summaryPrompt }]);
  const prepared = await prepareResponse(withBody(call, { ...body, input: summaryInput, store: false }), server);
  const response = await runResponse({ prepared, call, server });
  const summary = textOf(response);
  if (summary === '') {
    throw new RequestError('The model did not write a summary.', { status: 502, code: 'invalid_output' });
  }
  const compacted: CompactedResponse = {
    id: randomId('resp_'),
    object: 'response.compaction',
    created_at: nowInSeconds(),
    output: [
      ...items.filter(isUserMessage),
      { type: 'compaction', id: randomId('cmp_'), encrypted_content: encodeCompaction(summary) },
    ],
    usage: response.usage ?? noUsage,
  };
  return { status: 200, body: compacted };
}

/** The request without what a summary does not have: calls of tools, a format, and data beside its text. */
function withoutTools({
  tools,
  tool_choice,
  parallel_tool_calls,
  max_tool_calls,
  include,
  metadata,
  stream_options,
  text,
  ...body
}: ResponseCompactParams): Omit<ResponseCompactParams, 'tools' | 'tool_choice' | 'text'> {
  return { ...body, ...(text?.verbosity && { text: { verbosity: text.verbosity } }) };
}

async function inputOf(
  input: NonNullable<ResponseCompactParams['input']>,
  { principal }: Call<ResponseCompactParams>,
  { options }: ServerContext,
): Promise<readonly ResponseItem[]> {
  if (typeof input === 'string') return toStoredItems(input);
  const responses = options.stores?.project(principal.project).responses;
  return toStoredItems(await resolveReferences(input, { responses, path: 'input', maxLength: options.maxBodyBytes }));
}

function isUserMessage(item: ResponseItem): boolean {
  return (item.type === undefined || item.type === 'message') && item.role === 'user';
}

function textOf({ output }: ResponseObject): string {
  return output
    .flatMap((item) => (item.type === 'message' ? item.content : []))
    .map((part) => (part.type === 'output_text' ? part.text : ''))
    .join('');
}

const noUsage: ResponseUsage = {
  input_tokens: 0,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 0,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 0,
};
