import type {
  ChatCompletionCreateParams,
  ChatCompletionMessageParam,
  ModerationCategory,
} from '@modelwire/schema/types';
import { RequestError } from '../errors.ts';
import { readImage } from '../images/read-image.ts';
import type { Kit } from '../kit.ts';
import { judged } from '../moderations/judge.ts';
import type { Judge } from '../moderations/judge.ts';
import { moderationCategories } from '../moderations/result.ts';
import type { ModerationInput, ModerationPart } from '../ports/moderation-engine.ts';
import type { Call } from '../request/call.ts';
import type { ChatModeration } from './chat-moderation.ts';
import { textWindows, windowLength } from './text-windows.ts';

/** Inputs of one request to a moderation engine: a long text is judged in several. */
const maxInputsPerRequest = 32;

export type ChatCall = Pick<Call<ChatCompletionCreateParams>, 'body' | 'caller' | 'entry' | 'requestId'>;

/** What the user said, files that are read into it included, looked at before any model sees it. @throws a 400 that names the message, where flagged input is refused. */
export async function moderateInput(
  call: ChatCall,
  messages: ChatCompletionCreateParams['messages'],
  kit: Kit,
  /** Takes memory for images that are fetched to be looked at. @throws a 503 when there is none. */
  take: (bytes: number) => void,
): Promise<void> {
  const { moderate } = kit.options;
  if (!moderate || moderate.of === 'output') return;
  const judge = judgeOf(moderate, kit);
  const { signal } = call.caller;
  const asked: { readonly index: number; readonly input: ModerationInput }[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.role !== 'user') continue;
    const parts = await partsOf(message, index, judge, { kit, signal, take });
    for (const input of inputsOf(parts)) asked.push({ index, input });
  }
  if (asked.length === 0) return;
  const inputs = asked.map(({ input }) => input);
  const flagged = await flaggedCategories(judge, inputs, call, kit);
  const first = flagged.findIndex((categories) => categories.length > 0);
  if (first === -1) return;
  call.entry.flagged = [...new Set(flagged.flat())];
  if (moderate.flaggedInput === 'flag') return;
  const param = `messages[${asked[first]?.index ?? 0}]`;
  throw new RequestError(`The request was refused: '${param}' was flagged as ${flagged[first]?.join(', ') ?? ''}.`, {
    status: 400,
    param,
    code: 'content_filter',
  });
}

/** Whether replies are looked at: they cannot pass through unassembled then. */
export function moderatesOutput({ options }: Pick<Kit, 'options'>): boolean {
  return options.moderate !== undefined && options.moderate.of !== 'input';
}

/** The moderation model that the options name, or the first one. */
export function judgeOf({ model }: ChatModeration, kit: Kit): Judge {
  const judge = kit.moderationModels.find(model ?? kit.moderationModels.all()[0]?.id ?? '');
  if (!judge) throw new Error('the model that moderates is not served');
  return judge;
}

/** The categories that flag each input. */
export async function flaggedCategories(
  judge: Judge,
  inputs: readonly ModerationInput[],
  call: Pick<ChatCall, 'requestId' | 'caller'>,
  kit: Kit,
): Promise<readonly (readonly string[])[]> {
  const flagged: ModerationCategory[][] = [];
  for (let from = 0; from < inputs.length; from += maxInputsPerRequest) {
    const verdicts = await judged(judge, inputs.slice(from, from + maxInputsPerRequest), call, kit);
    for (const verdict of verdicts) flagged.push(moderationCategories.filter((category) => verdict[category]?.flagged));
  }
  return flagged;
}

/**
 * The parts of one message together. One with a text longer than a window is judged window by window: moderation models have a limited
 * context, and some refuse long inputs.
 */
function inputsOf(parts: readonly ModerationPart[]): ModerationInput[] {
  const together: ModerationPart[] = [];
  const windows: ModerationInput[] = [];
  for (const part of parts) {
    if (part.type !== 'text' || part.text.length <= windowLength) together.push(part);
    else for (const text of textWindows(part.text)) windows.push([{ type: 'text', text }]);
  }
  return together.length > 0 ? [together, ...windows] : windows;
}

/** The texts of a user's message, and its images where the judge sees images. */
async function partsOf(
  { content }: Extract<ChatCompletionMessageParam, { role: 'user' }>,
  index: number,
  { model }: Judge,
  { kit, signal, take }: { readonly kit: Kit; readonly signal: AbortSignal; readonly take: (bytes: number) => void },
): Promise<readonly ModerationPart[]> {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  const parts: ModerationPart[] = [];
  for (const [at, part] of content.entries()) {
    if (part.type === 'text') parts.push({ type: 'text', text: part.text });
    if (part.type !== 'image_url' || !model.inputs.includes('image')) continue;
    const param = `messages[${index}].content[${at}].image_url.url`;
    const { fetchImage } = kit.options;
    const image = await readImage(part.image_url.url, {
      param,
      signal,
      fetchImage,
      reserve: take,
      queue: kit.imageFetches,
    });
    parts.push({ type: 'image', ...image });
  }
  return parts;
}
