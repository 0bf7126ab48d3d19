import type { NativeResponseBody } from '@modelwire/ports';
import { isDataUrl, parseDataUrl } from '@modelwire/schema/internal';
import type {
  ResponseCreateParams,
  ResponseInputContent,
  ResponseInputItem,
  ResponseItem,
} from '@modelwire/schema/types';
import type { ServerContext } from '../../context.ts';
import type { ResolvedChatModel } from '../../models/model-registry.ts';
import { judgesReply } from '../../generation/generate.ts';
import { moderatorsOf } from '../../generation/moderators.ts';
import { decodeCompaction } from './compaction.ts';

/** Items that are translated to messages, so that moderation sees them. */
const moderatedTypes: ReadonlySet<string | undefined> = new Set([
  undefined,
  'message',
  'function_call',
  'function_call_output',
  'custom_tool_call',
  'custom_tool_call_output',
  'reasoning',
  'web_search_call',
  'compaction',
  'additional_tools',
]);

/**
 * Whether a request is passed to the engine unchanged. That is not possible if the server has to process it: moderate the reply or items of
 * hosted tools, or load an image or a file.
 *
 * @param items The whole conversation.
 */
export function isNative(
  { model, engine }: ResolvedChatModel,
  items: readonly ResponseInputItem[],
  { moderation }: Pick<ResponseCreateParams, 'moderation'>,
  server: ServerContext,
): boolean {
  if (model.supportsResponses !== true || engine.respond === undefined) return false;
  const moderators = moderatorsOf({ moderation }, server);
  if (judgesReply(moderators)) return false;
  const moderates = moderators.length > 0;
  return !items.some((item) => needsServer(item) || (moderates && !moderatedTypes.has(item.type)));
}

/** The request without the parameters that the server implements. Its input is unchanged unless it continues or references stored items. */
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
  if (item.type === 'computer_call_output') {
    const { image_url: url } = item.output;
    return url !== undefined && !(typeof url === 'string' && isPlainDataUrl(url));
  }
  const isMessage = item.type === undefined || item.type === 'message';
  return isMessage && item.role !== 'assistant' && typeof item.content !== 'string' && item.content.some(isLoaded);
}

function isLoaded(part: ResponseInputContent): boolean {
  if (part.type === 'input_image') return part.image_url == null || !isPlainDataUrl(part.image_url);
  if (part.type !== 'input_file') return false;
  return part.file_data == null || (isDataUrl(part.file_data) && !isPlainDataUrl(part.file_data));
}

/** Whether every upstream reads this data URL. */
function isPlainDataUrl(url: string): boolean {
  return parseDataUrl(url)?.isPlain === true;
}
