import type { NativeResponseBody } from '@modelwire/ports';
import type {
  ResponseCreateParams,
  ResponseInputContent,
  ResponseInputItem,
  ResponseItem,
} from '@modelwire/schema/types';
import type { ServerContext } from '../../context.ts';
import type { ServedModel } from '../../model-registry.ts';
import { moderatesOutput } from '../../streaming/transforms/moderation.ts';
import { decodeCompaction } from './compaction.ts';

/**
 * Whether a request goes to the engine as it is. Not where the server has to act on it: moderate the reply, or load an image or a file.
 *
 * @param items The whole conversation.
 */
export function isNative(
  { model, engine }: ServedModel,
  items: readonly ResponseInputItem[],
  server: ServerContext,
): boolean {
  return (
    model.hasResponses === true && engine.respond !== undefined && !moderatesOutput(server) && !items.some(needsServer)
  );
}

/** The request without what the server does itself. Its input is sent as it came unless it continues or references stored items. */
export function nativeBody(
  body: ResponseCreateParams,
  history: readonly ResponseItem[],
  input: readonly ResponseItem[],
): NativeResponseBody {
  const { previous_response_id, conversation, background, stream_options, metadata, ...sent } = body;
  const hasReferences = Array.isArray(sent.input) && sent.input.some(({ type }) => type === 'item_reference');
  return {
    ...sent,
    ...((history.length > 0 || hasReferences) && { input: [...history, ...input] }),
    store: false,
    stream: true,
  };
}

/** Whether an item has an image or a file that the server loads, or is a summary that the server made. */
function needsServer(item: ResponseInputItem): boolean {
  if (item.type === 'compaction') return decodeCompaction(item.encrypted_content) !== undefined;
  if (item.type === 'function_call_output' || item.type === 'custom_tool_call_output') {
    return typeof item.output !== 'string' && item.output.some(isLoaded);
  }
  const isMessage = item.type === undefined || item.type === 'message';
  return isMessage && item.role !== 'assistant' && typeof item.content !== 'string' && item.content.some(isLoaded);
}

function isLoaded(part: ResponseInputContent): boolean {
  if (part.type === 'input_image') return part.image_url?.startsWith('data:') !== true;
  return part.type === 'input_file' && part.file_data === undefined;
}
