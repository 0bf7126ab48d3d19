import type { ChatModel } from '@modelwire/ports';
import type { MessageOtherBlockParam, MessageUserBlockParam } from '@modelwire/schema/types';
import type { ServerContext } from '../../context.ts';
import { unsupportedValue } from '../../errors.ts';
import { imageFileId } from '../../generation/image-files.ts';
import { moderatorsOf } from '../../generation/moderators.ts';
import { hostedParameters, translateMessageRequest } from './chat-request.ts';
import type { PromptParams, TranslatedMessage } from './chat-request.ts';
import { isKnownBlock } from './known-block.ts';

/** What only the upstream understands: the choice may be one of its own tools. */
const upstreamParameters = [...hostedParameters, 'tool_choice'] as const;

/**
 * The chat request for which a request that is relayed is admitted: what is moderated, counted and stored of it.
 *
 * @throws a 400 for a file of this server, which the upstream does not have, and for blocks that cannot be moderated.
 */
export function translateRelayedRequest(
  body: PromptParams,
  model: ChatModel,
  server: ServerContext,
): TranslatedMessage {
  const isModerated = moderatorsOf({}, server).some(({ input }) => input !== undefined);
  const messages = body.messages.map((message) => {
    if (message.role === 'system' || typeof message.content === 'string') return message;
    if (message.role === 'user') return { ...message, content: ofKnown(message.content, withoutDownloads) };
    return message;
  });
  const ofUpstream = Object.fromEntries(upstreamParameters.map((name) => [name, undefined]));
  const translated = translateMessageRequest({ ...body, ...ofUpstream, messages }, model, 'omit');
  assertWithoutFiles(translated);
  const toolTypes: readonly (string | undefined)[] = body.tools?.map(({ type }) => type) ?? [];
  const unseen = translated.omittedTypes.find((type) => !toolTypes.includes(type));
  if (unseen !== undefined && isModerated) {
    const message = `Unsupported value: blocks of type '${unseen}' cannot be moderated, as this server does with requests.`;
    throw unsupportedValue('messages', message);
  }
  return translated;
}

function ofKnown<Block extends { readonly type: string }>(
  blocks: readonly (Block | MessageOtherBlockParam)[],
  translate: (block: Block) => Block,
): readonly (Block | MessageOtherBlockParam)[] {
  return blocks.map((block) => (isKnownBlock(block) ? translate(block) : block));
}

/** The URL of a document instead of the document, which only the upstream downloads. */
function withoutDownloads(block: MessageUserBlockParam): MessageUserBlockParam {
  if (block.type === 'document' && block.source.type === 'url') return { type: 'text', text: block.source.url };
  if (block.type !== 'tool_result' || typeof block.content !== 'object') return block;
  return {
    ...block,
    content: block.content.map((part) =>
      part.type === 'document' && part.source.type === 'url' ? { type: 'text', text: part.source.url } : part,
    ),
  };
}

function assertWithoutFiles({ chat, translateError }: TranslatedMessage): void {
  for (const [index, { role, content }] of chat.messages.entries()) {
    if (role !== 'user' || typeof content === 'string') continue;
    const position = content.findIndex(
      (part) =>
        (part.type === 'file' && part.file.file_id !== undefined) ||
        (part.type === 'image_url' && imageFileId(part.image_url.url) !== undefined),
    );
    if (position === -1) continue;
    const path = `messages[${index}].content[${position}]`;
    const message = `Unsupported value: '${path}' is a file of this server, which the upstream of the model does not have. Send it in base64.`;
    throw translateError(unsupportedValue(path, message));
  }
}
