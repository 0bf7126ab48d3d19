import type { ChatCompletionCreateParams, ChatCompletionMessageParam } from '@modelwire/schema/types';
import { RequestError, invalid } from '../../errors.ts';
import { readImage } from '../../media/images/read-image.ts';
import type { InputLoading } from '../../media/images/read-image.ts';
import type { ServerContext } from '../../context.ts';
import { moderateInputs, observedModeration } from './moderate-inputs.ts';
import type { ResolvedModerationModel } from './moderate-inputs.ts';
import { flaggedCategories } from './moderation-result.ts';
import type { Moderator } from './moderator.ts';
import type { ModerationInput, ModerationPart, ModerationVerdict } from '@modelwire/ports';
import type { Call } from '../../call.ts';
import { textWindows } from './text-windows.ts';
import { toolInput, toolName } from '@modelwire/adapter-kit';

/** Maximum number of inputs in one request to a moderation engine: a long text takes several requests. */
const maxInputsPerRequest = 32;

export type ChatCall = Pick<Call<unknown>, 'client' | 'logRecord' | 'observation' | 'principal' | 'requestId'>;

/**
 * Moderates the messages of every role before the model receives them, since clients write all of them. The text of files is moderated
 * as text. Audio, and files that the model receives unchanged, are not moderated.
 *
 * @throws a 400 that names the message or `moderation`, if flagged input is blocked.
 */
export async function moderateInput(
  moderator: Moderator,
  messages: ChatCompletionCreateParams['messages'],
  loading: InputLoading & { readonly call: ChatCall },
): Promise<void> {
  const { call } = loading;
  const { input: mode, report } = moderator;
  if (!mode) return;
  try {
    const indexedInputs = await inputsOfMessages(messages, moderator, loading);
    const inputs = indexedInputs.map(({ input }) => input);
    const verdicts = await judge(moderator, inputs, { call, of: 'input' }, loading.server);
    const judged = indexedInputs.flatMap(({ index }, at) => {
      const verdict = verdicts[at];
      return verdict ? [{ index, verdict, flagged: flaggedCategories(verdict) }] : [];
    });
    for (const { index, verdict } of judged) report?.input.add(index, verdict);
    const first = judged.find(({ flagged }) => flagged.length > 0);
    if (!first) return;
    logFlagged(
      call,
      judged.flatMap(({ flagged }) => flagged),
    );
    if (mode === 'block') throw blockedInput(first, report !== undefined);
  } catch (error) {
    if (call.client.signal.aborted || mode === 'block' || !report) throw error;
    report.input.fail(error);
  }
}

function blockedInput(
  { index, flagged }: { readonly index: number; readonly flagged: readonly string[] },
  isRequested: boolean,
): RequestError {
  const message = `messages[${index}]`;
  return new RequestError(`The request was refused: '${message}' was flagged as ${flagged.join(', ')}.`, {
    status: 400,
    ...(isRequested
      ? { param: 'moderation', code: 'content_policy_violation' }
      : { param: message, code: 'content_filter' }),
  });
}

async function inputsOfMessages(
  messages: ChatCompletionCreateParams['messages'],
  { moderationModel }: Moderator,
  loading: InputLoading,
): Promise<readonly { readonly index: number; readonly input: ModerationInput }[]> {
  const indexedInputs: { readonly index: number; readonly input: ModerationInput }[] = [];
  for (const [index, message] of messages.entries()) {
    const images = await imagesOf(message, index, moderationModel, loading);
    for (const input of inputsOf(messageTexts(message), images)) indexedInputs.push({ index, input });
  }
  return indexedInputs;
}

/** Adds categories to those in the log. */
export function logFlagged({ logRecord }: Pick<ChatCall, 'logRecord'>, categories: readonly string[]): void {
  logRecord.flagged = [...new Set([...(logRecord.flagged ?? []), ...categories])];
}

/** A verdict for each input. */
export async function judge(
  { moderationModel }: Moderator,
  inputs: readonly ModerationInput[],
  { call, of }: { readonly call: Omit<ChatCall, 'logRecord'>; readonly of: 'input' | 'output' },
  server: ServerContext,
): Promise<readonly ModerationVerdict[]> {
  if (inputs.length === 0) return [];
  const isFlagged = (verdicts: readonly ModerationVerdict[]): boolean =>
    verdicts.some((verdict) => flaggedCategories(verdict).length > 0);
  return observedModeration(call.observation, { model: moderationModel.model.id, target: of }, isFlagged, async () => {
    const verdicts: ModerationVerdict[] = [];
    for (let from = 0; from < inputs.length; from += maxInputsPerRequest) {
      const some = inputs.slice(from, from + maxInputsPerRequest);
      verdicts.push(...(await moderateInputs(moderationModel, some, call, server)));
    }
    return verdicts;
  });
}

/**
 * @throws a 400 that names `maxModerationImages` where the messages have more images than that and the moderation model would see them:
 * the same limit as for `POST /moderations`.
 */
export function checkModeratedImages(
  { messages }: Pick<ChatCompletionCreateParams, 'messages'>,
  moderators: readonly Moderator[],
  { maxModerationImages: limit }: ServerContext['options'],
): void {
  const seesImages = ({ input, moderationModel: { model } }: Moderator): boolean =>
    input !== undefined && model.inputs.includes('image');
  if (!moderators.some(seesImages)) return;
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
  if (message.reasoning_content) texts.push(message.reasoning_content);
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
