import type { ChatModel } from '@modelwire/ports';
import type { ChatCompletionCreateParams, Message, MessageCreateParams } from '@modelwire/schema/types';
import { runAdmitted } from '../../admission/admit.ts';
import type { Call } from '../../call.ts';
import type { ServerContext } from '../../context.ts';
import { RequestError, unsupported } from '../../errors.ts';
import { generate } from '../../generation/generate.ts';
import type { Generation } from '../../generation/generate.ts';
import { reportUnsupportedTools } from '../../generation/report-unsupported-tools.ts';
import { startGeneration } from '../../generation/start-generation.ts';
import { assertStorable, storeCompletion, unstorableInput } from '../../generation/store-completion.ts';
import { collector } from '../../streaming/collector.ts';
import type { RelayedMessage } from '../../streaming/relay.ts';
import { translateMessageRequest } from './chat-request.ts';
import { GeneratedMessage } from './message-writer.ts';
import type { EmitMessageEvent } from './message-writer.ts';
import { RelayedMessageWriter } from './relayed-message.ts';

interface MessageRun {
  readonly call: Call<MessageCreateParams>;
  readonly server: ServerContext;
  readonly model: ChatModel;
  /** Called with each event of the stream. Default: no events are sent. */
  readonly emit?: EmitMessageEvent;
  /** Called after events were emitted, for backpressure. False ends the run, because the client has disconnected. */
  readonly afterEvents?: () => boolean | Promise<boolean>;
}

/** Generates a message. @throws errors that name the fields of the client's request. */
export async function runMessage(run: MessageRun): Promise<Message | RelayedMessage> {
  const { call, server, model } = run;
  const isRelayed = model.dialect === 'messages';
  const translated = translateMessageRequest(call.body, model, server);
  if (!isRelayed) reportUnsupportedTools(translated.omittedTypes, call);
  const isStored = storesMessage(translated.chat, call, server);
  const chat = isStored ? { ...translated.chat, store: true } : translated.chat;
  try {
    if (isStored) assertStorable(chat);
    const options = isRelayed ? ({ dialect: 'messages', readsBeyondBody: true } as const) : { findsStop: true };
    const generation = await startGeneration(call, chat, server, options);
    return await runAdmitted(generation.admission, () => generateMessage(generation, run));
  } catch (error) {
    throw error instanceof RequestError ? translated.translateError(error) : error;
  }
}

/** Whether the message is stored, as a completion. @throws a 400 for a request to do so on a server without stores. */
function storesMessage(
  chat: ChatCompletionCreateParams,
  { header }: Pick<Call, 'header'>,
  { options }: ServerContext,
): boolean {
  const requested = header('x-modelwire-store');
  if (requested === null) return options.storeMessages && unstorableInput(chat) === undefined;
  if (requested !== 'true') return false;
  if (options.stores) return true;
  const message = "Unsupported header: 'x-modelwire-store' is not supported: this server does not store completions.";
  throw unsupported('x-modelwire-store', message);
}

async function generateMessage(
  generation: Generation,
  { call, server, model, emit = () => undefined, afterEvents = () => true }: MessageRun,
): Promise<Message | RelayedMessage> {
  const { accountant, metadata, body } = generation;
  const collected = collector(metadata, { n: 1, logprobs: false, accountant });
  const init = { call, server, generation, emit };
  const relayed = model.dialect === 'messages' ? new RelayedMessageWriter(init) : undefined;
  const writer = relayed ?? new GeneratedMessage(init);
  for await (const batch of generate(generation, relayed && ((_, context) => relayed.generate(context)))) {
    writer.add(batch);
    if (body.store) batch.forEach(collected.add);
    if (!(await afterEvents())) throw new Error('the client disconnected');
  }
  writer.endContent();
  if (body.store) await storeCompletion(generation, collected.completion());
  return writer.end();
}
