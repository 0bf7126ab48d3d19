import type { ChatCompletionCreateParams } from '@modelwire/schema/types';
import type { Call } from '../../call.ts';
import type { ServerContext } from '../../context.ts';
import { startGeneration } from '../../generation/start-generation.ts';
import type { Reply } from '../../http/reply.ts';
import { answerStream } from './answer-stream.ts';
import { answer } from './answer.ts';
import { admitStore } from './keep.ts';

/** POST /chat/completions (interface: Create chat completion). */
export async function createChatCompletion(
  call: Call<ChatCompletionCreateParams>,
  server: ServerContext,
): Promise<Reply> {
  admitStore(call.body, server);
  const generation = await startGeneration(call, server);
  return call.body.stream ? answerStream(generation) : await answer(generation);
}
