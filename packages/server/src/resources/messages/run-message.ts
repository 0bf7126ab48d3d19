import type { ChatModel } from '@modelwire/ports';
import type { Message, MessageCreateParams, MessageStreamEvent } from '@modelwire/schema/types';
import { runAdmitted } from '../../admission/admit.ts';
import type { Call } from '../../call.ts';
import type { ServerContext } from '../../context.ts';
import { RequestError, unsupported } from '../../errors.ts';
import { generate } from '../../generation/generate.ts';
import type { Generation } from '../../generation/generate.ts';
import { reportUnsupportedTools } from '../../generation/report-unsupported-tools.ts';
import { startGeneration } from '../../generation/start-generation.ts';
import { assertStorable, storeCompletion } from '../../generation/store-completion.ts';
import { collector } from '../../streaming/collector.ts';
import { translateMessageRequest } from './chat-request.ts';
import { MessageContent } from './message-content.ts';
import { emptyMessage, messageOutcome, messageTier, messageUsage } from './message.ts';

interface MessageRun {
  readonly call: Call<MessageCreateParams>;
  readonly server: ServerContext;
  readonly model: ChatModel;
  /** Called with each event of the stream. Default: no events are sent. */
  readonly emit?: (event: MessageStreamEvent) => void;
  /** Called after events were emitted, for backpressure. False ends the run, because the client has disconnected. */
  readonly afterEvents?: () => boolean | Promise<boolean>;
}

/** Generates a message. @throws errors that name the fields of the client's request. */
export async function runMessage(run: MessageRun): Promise<Message> {
  const { call, server, model } = run;
  const translated = translateMessageRequest(call.body, model, server.options.hostedTools);
  reportUnsupportedTools(translated.omittedTypes, call);
  const isStored = storesMessage(call, server);
  const chat = isStored ? { ...translated.chat, store: true } : translated.chat;
  try {
    if (isStored) assertStorable(chat);
    const generation = await startGeneration(call, chat, server, { findsStop: true });
    return await runAdmitted(generation.admission, () => generateMessage(generation, run));
  } catch (error) {
    throw error instanceof RequestError ? translated.translateError(error) : error;
  }
}

/** Whether the message is stored, as a completion. @throws a 400 on a server without stores. */
function storesMessage({ header }: Pick<Call, 'header'>, { options }: ServerContext): boolean {
  if (header('x-modelwire-store') !== 'true') return false;
  if (options.stores) return true;
  const message = "Unsupported header: 'x-modelwire-store' is not supported: this server does not store completions.";
  throw unsupported('x-modelwire-store', message);
}

async function generateMessage(
  generation: Generation,
  { call, server, emit = () => undefined, afterEvents = () => true }: MessageRun,
): Promise<Message> {
  const { accountant, metadata } = generation;
  const { max_tokens: maxTokens, model, thinking } = call.body;
  // A stored message has the ID of its completion, with another prefix.
  const base = emptyMessage(metadata.id.replace(/^chatcmpl-/, 'msg_'), model);
  const collected = collector(metadata, { n: 1, logprobs: false, accountant });
  const display = thinking && 'display' in thinking ? thinking.display : undefined;
  const content = new MessageContent({
    emit,
    createId: server.createId,
    reasoning: thinking?.type === 'disabled' ? 'hidden' : display === 'omitted' ? 'omitted' : 'shown',
  });
  const usage = () => messageUsage(accountant.current);
  const tier = () => messageTier(accountant.tier ?? metadata.service_tier, call.batchLine !== undefined);
  let isOpen = false;
  let stoppedBy: string | undefined;
  for await (const batch of generate(generation)) {
    if (!isOpen) emit({ type: 'message_start', message: { ...base, usage: { ...usage(), service_tier: tier() } } });
    isOpen = true;
    if (generation.body.store) batch.forEach(collected.add);
    for (const event of batch) {
      if (event.type === 'finish') stoppedBy = event.stoppedBy;
      else if (event.type === 'function_call' || event.type === 'audio' || event.type === 'echo') continue;
      // The request only reads the prompt.
      else if (maxTokens > 0) content.add(event);
    }
    if (!(await afterEvents())) throw new Error('the client disconnected');
  }
  const [reason = ''] = accountant.finishReasons;
  content.end(reason === 'length' || reason === 'content_filter' ? 'incomplete' : 'completed');
  if (generation.body.store) await storeCompletion(generation, collected.completion());
  const outcome = messageOutcome(reason, stoppedBy);
  emit({ type: 'message_delta', delta: outcome, usage: usage() });
  emit({ type: 'message_stop' });
  return { ...base, ...outcome, content: [...content.blocks], usage: { ...usage(), service_tier: tier() } };
}
