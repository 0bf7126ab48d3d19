import type { ChatCompletionContentPart, ChatCompletionCreateParams } from '@modelwire/schema/types';
import type { Call } from '../../call.ts';
import type { ServerContext } from '../../context.ts';
import { unsupported, unsupportedValue } from '../../errors.ts';
import { startGeneration } from '../../generation/start-generation.ts';
import type { Reply } from '../../http/reply.ts';
import { streamChat } from './stream-chat.ts';
import { completeChat } from './complete-chat.ts';

/** POST /chat/completions (API: Create chat completion). */
export async function createChatCompletion(
  call: Call<ChatCompletionCreateParams>,
  server: ServerContext,
): Promise<Reply> {
  assertStoreSupported(call.body, server);
  const generation = await startGeneration(call, server);
  return call.body.stream ? streamChat(generation) : await completeChat(generation);
}

/** Refuses `store` without stores, and inputs that cannot be stored (API: `store` supports text and image inputs). */
function assertStoreSupported(requestBody: ChatCompletionCreateParams, { options }: ServerContext): void {
  if (!requestBody.store) {
    if (!requestBody.metadata || Object.keys(requestBody.metadata).length === 0) return;
    throw unsupported(
      'metadata',
      "Unsupported parameter: 'metadata' is stored with completions only: set 'store' to true.",
    );
  }
  if (!options.stores) {
    throw unsupported(
      'store',
      "Unsupported parameter: 'store' is not supported: this server does not store completions.",
    );
  }
  for (const [index, { content }] of requestBody.messages.entries()) {
    if (!Array.isArray(content)) continue;
    const parts = content as readonly ChatCompletionContentPart[];
    const at = parts.findIndex(({ type }) => type === 'input_audio' || type === 'file');
    if (at === -1) continue;
    const path = `messages[${index}].content[${at}].type`;
    throw unsupportedValue(path, `Unsupported value: '${path}' cannot be stored: 'store' supports text and images.`);
  }
}
