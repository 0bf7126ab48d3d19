import type {
  ChatCompletionCreateParams,
  ChatCompletionMessageParam,
  ModerationCategory,
} from '@modelwire/schema/types';
import { RequestError, invalid } from '../../errors.ts';
import { readImage } from '../../media/images/read-image.ts';
import type { InputLoading } from '../../media/images/read-image.ts';
import type { ServerContext } from '../../context.ts';
import { moderateInputs, observedModeration } from './moderate-inputs.ts';
import type { ResolvedModerationModel } from './moderate-inputs.ts';
import { moderationCategories } from '@modelwire/ports';
import type { ModerationInput, ModerationPart } from '@modelwire/ports';
import type { Call } from '../../call.ts';
import type { ChatModeration } from '../../options/types.ts';
import { textWindows } from './text-windows.ts';
import { toolInput, toolName } from '@modelwire/adapter-kit';

/** Maximum number of inputs in one request to a moderation engine: a long text takes several requests. */
const maxInputsPerRequest = 32;

export type ChatCall = Pick<Call<unknown>, 'client' | 'logRecord' | 'observation' | 'principal' | 'requestId'>;

/**
 * Moderates the messages of every role before the model receives them, since clients write all of them. The text of files is moderated
 * as text. Audio, and files that the model receives unchanged, are not moderated.
 *
 * @throws a 400 that names the message, if flagged input is refused.
 */
export async function moderateInput(
  messages: ChatCompletionCreateParams['messages'],
  loading: InputLoading & { readonly call: ChatCall },
): Promise<void> {
  const { call, server } = loading;
  const { moderate } = server.options;
  if (!moderate || moderate.of === 'output') return;
  const moderationModel = moderationModelOf(moderate, server);
  const indexedInputs: { readonly index: number; readonly input: ModerationInput }[] = [];
  for (const [index, message] of messages.entries()) {
    const images = await imagesOf(message, index, moderationModel, loading);
    for (const input of inputsOf(messageTexts(message), images)) indexedInputs.push({ index, input });
  }
  if (indexedInputs.length === 0) return;
  const inputs = indexedInputs.map(({ input }) => input);
  const flagged = await flaggedCategories(moderationModel, inputs, { call, of: 'input' }, server);
  const first = flagged.findIndex((categories) => categories.length > 0);
  if (first === -1) return;
  call.logRecord.flagged = [...new Set(flagged.flat())];
  if (moderate.flaggedInput === 'flag') return;
  const param = `messages[${indexedInputs[first]?.index ?? 0}]`;
  throw new RequestError(`The request was refused: '${param}' was flagged as ${flagged[first]?.join(', ') ?? ''}.`, {
    status: 400,
    param,
    code: 'content_filter',
  });
}

/** The moderation model that the options name, or the first one. */
export function moderationModelOf({ model }: ChatModeration, server: ServerContext): ResolvedModerationModel {
  const { moderation } = server.models;
  const resolved = moderation.find(model ?? moderation.all()[0]?.id ?? '');
  if (!resolved) throw new Error('the model that moderates is not served');
  return resolved;
}

/** The categories that flag each input. */
export function flaggedCategories(
  moderationModel: ResolvedModerationModel,
  inputs: readonly ModerationInput[],
  { call, of }: { readonly call: Omit<ChatCall, 'logRecord'>; readonly of: 'input' | 'output' },
  server: ServerContext,
): Promise<readonly (readonly string[])[]> {
  const isFlagged = (categories: readonly (readonly string[])[]): boolean =>
    categories.some(({ length }) => length > 0);
  return observedModeration(call.observation, { model: moderationModel.model.id, target: of }, isFlagged, async () => {
    const flagged: ModerationCategory[][] = [];
    for (let from = 0; from < inputs.length; from += maxInputsPerRequest) {
      const verdicts = await moderateInputs(
        moderationModel,
        inputs.slice(from, from + maxInputsPerRequest),
        call,
        server,
      );
      for (const verdict of verdicts)
        flagged.push(moderationCategories.filter((category) => verdict[category]?.flagged));
    }
    return flagged;
  });
}

/**
 * @throws a 400 that names `maxModerationImages` where the messages have more images than that and the moderation model would see them:
 * the same limit as for `POST /moderations`.
 */
export function checkModeratedImages(
  { messages }: Pick<ChatCompletionCreateParams, 'messages'>,
  server: ServerContext,
): void {
  const { moderate, maxModerationImages: limit } = server.options;
  if (!moderate || moderate.of === 'output' || !moderationModelOf(moderate, server).model.inputs.includes('image'))
    return;
  let images = 0;
  for (const { role, content } of messages) {
    if (role === 'user' && typeof content !== 'string')
      images += content.filter(({ type }) => type === 'image_url').length;
  }
  if (images <= limit) return;
  const message = `Invalid 'messages': expected at most ${limit} images (maxModerationImages), but got ${images}. Send fewer images.`;
  throw invalid('messages', message, 'array_above_max_length');
}

/**
 * The texts of one message as moderation engines join them, window by window: moderation models have a limited context, and some refuse
 * long inputs. The images are moderated with the first window.
 */
function inputsOf(texts: readonly string[], images: readonly ModerationPart[]): ModerationInput[] {
  const text = texts.join('\n');
  if (text === '') return images.length > 0 ? [images] : [];
  return textWindows(text).map((window, at) => [{ type: 'text', text: window }, ...(at === 0 ? images : [])]);
}

/** The images of a message, if the moderation model supports images. */
async function imagesOf(
  { role, content }: ChatCompletionMessageParam,
  index: number,
  { model }: ResolvedModerationModel,
  loading: InputLoading,
): Promise<readonly ModerationPart[]> {
  if (role !== 'user' || typeof content === 'string' || !model.inputs.includes('image')) return [];
  const images: ModerationPart[] = [];
  for (const [at, part] of content.entries()) {
    if (part.type !== 'image_url') continue;
    const param = `messages[${index}].content[${at}].image_url.url`;
    images.push({ type: 'image', ...(await readImage(part.image_url.url, param, loading)) });
  }
  return images;
}

/**
 * All text of a message that reaches the model: its content, the participant's name, and of an assistant message its refusal and the names
 * and arguments of its calls. Images, audio and files are not text; the text of a file has become a text part by now.
 */
function messageTexts(message: ChatCompletionMessageParam): string[] {
  const texts = contentTexts(message.content);
  if ('name' in message && message.name) texts.push(message.name);
  if (message.role !== 'assistant') return texts;
  if (message.refusal) texts.push(message.refusal);
  for (const call of message.tool_calls ?? []) texts.push(toolName(call), toolInput(call));
  if (message.function_call) texts.push(message.function_call.name, message.function_call.arguments);
  return texts;
}

function contentTexts(content: ChatCompletionMessageParam['content']): string[] {
  if (typeof content === 'string') return [content];
  return (content ?? []).flatMap((part) => {
    if (part.type === 'text') return [part.text];
    return part.type === 'refusal' ? [part.refusal] : [];
  });
}
