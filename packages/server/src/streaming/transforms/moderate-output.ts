import type { ChatCompletionCreateParams } from '@modelwire/schema/types';
import type { ServerContext } from '../../context.ts';
import type { ChatEvent, ChatEvents, ModerationInput } from '@modelwire/ports';
import { flat, tokensOf } from '../events.ts';
import type { Accountant } from '../../admission/accountant.ts';
import { judge, logFlagged } from './moderation.ts';
import type { ChatCall } from './moderation.ts';
import { flaggedCategories } from './moderation-result.ts';
import type { Moderator } from './moderator.ts';
import { generatedTexts, logprobsField } from './generated-texts.ts';
import { textWindows, windowOverlap } from './text-windows.ts';

/** Number of new characters of a choice after which it is moderated. */
const stride = 200;
/** Number of characters that are held back after they passed moderation, because the following text can make them part of something harmful. */
const lookahead = 100;

type ChoiceEvent = Exclude<ChatEvent, { readonly type: 'usage' | 'meta' }>;

interface ModeratedGeneration {
  readonly moderator: Moderator;
  readonly call: ChatCall;
  readonly body: Pick<ChatCompletionCreateParams, 'n'>;
  readonly server: ServerContext;
  readonly accountant: Accountant;
}

/** One field of a choice. Its text is moderated separately, so that text of other fields in between does not hide a phrase. */
interface Field {
  /** The end of the moderated text. */
  context: string;
  /** Not moderated yet. */
  pending: string;
}

interface Choice {
  readonly fields: Map<string, Field>;
  readonly buffered: { readonly event: ChoiceEvent; readonly end: number }[];
  /** Characters of all fields: so far, moderated, and up to the last event that was released. */
  totalLength: number;
  moderatedLength: number;
  releasedLength: number;
}

/** Fields of a choice that are moderated separately; the text of further ones is moderated together. An upstream cannot raise the cost by inventing fields. */
const maxFields = 16;

/**
 * Holds events back: each is released only after all of its text was moderated together with the text before it and up to 100 characters
 * after it. A choice whose text is flagged ends there, with `content_filter`; when all have, the engine's iteration
 * ends. Tokens that are not released are counted too: they were generated. For each character generated into one field, six are moderated, whatever the length of the field.
 *
 * If the moderator only scores the reply, no event is held back, and each choice is moderated at its end.
 */
export async function* moderateOutput(
  events: ChatEvents,
  { moderator, call, body, server, accountant }: ModeratedGeneration,
): AsyncGenerator<ChatEvent> {
  const { report } = moderator;
  const isBlocking = moderator.output === 'block';
  const choices = new Map<number, Choice | 'ended'>();
  let running = body.n ?? 1;

  /** The categories that flag the text of a choice that was not moderated before. */
  async function flaggedIn(index: number, choice: Choice): Promise<readonly string[]> {
    const verdicts = await judge(moderator, takePendingInputs(choice), { call, of: 'output' }, server);
    for (const verdict of verdicts) report?.output.add(index, verdict);
    const flagged = verdicts.flatMap(flaggedCategories);
    if (flagged.length > 0) logFlagged(call, flagged);
    return flagged;
  }

  for await (const event of flat(events)) {
    if (event.type === 'usage' || event.type === 'meta') {
      yield event;
      continue;
    }
    const choice = choices.get(event.choice) ?? {
      fields: new Map(),
      buffered: [],
      totalLength: 0,
      moderatedLength: 0,
      releasedLength: 0,
    };
    if (choice === 'ended') {
      accountant.count(tokensOf(event));
      continue;
    }
    choices.set(event.choice, choice);
    bufferEvent(choice, event);
    const isLast = event.type === 'finish';
    if (!isBlocking) {
      yield* releaseUpTo(choice, Infinity);
      if (isLast && choice.totalLength > 0) {
        await flaggedIn(event.choice, choice).catch((error: unknown) => {
          if (call.client.signal.aborted) throw error;
          report?.output.fail(error);
        });
      }
      continue;
    }
    if (choice.totalLength > choice.moderatedLength) {
      if (!isLast && choice.totalLength - choice.moderatedLength < stride) continue;
      if ((await flaggedIn(event.choice, choice)).length > 0) {
        choices.set(event.choice, 'ended');
        for (const { event: withheld } of choice.buffered) accountant.count(tokensOf(withheld));
        yield { type: 'finish', choice: event.choice, reason: 'content_filter' };
        if (--running === 0) return;
        continue;
      }
    }
    yield* releaseUpTo(choice, isLast ? Infinity : choice.moderatedLength - lookahead);
    if (isLast) running--;
  }
}

function bufferEvent(choice: Choice, event: ChoiceEvent): void {
  let length = 0;
  let tokens = 0;
  for (const [name, text] of generatedTexts(event)) {
    // The name of a field that the API does not define is the upstream's text, too.
    const added = event.type === 'extra' && !choice.fields.has(name) ? `${name} ${text}` : text;
    const key = choice.fields.has(name) || choice.fields.size < maxFields ? name : 'others';
    const field = choice.fields.get(key) ?? { context: '', pending: '' };
    choice.fields.set(key, field);
    field.pending += added;
    if (name === logprobsField) tokens += added.length;
    else length += added.length;
  }
  // Tokens of log probabilities repeat the text: they do not shorten the lookahead.
  choice.totalLength += Math.max(length, tokens);
  choice.buffered.push({ event, end: choice.totalLength });
}

/** The fields with new text, with the end of their moderated text. */
function takePendingInputs(choice: Choice): ModerationInput[] {
  const inputs: ModerationInput[] = [];
  for (const field of choice.fields.values()) {
    if (field.pending === '') continue;
    const text = field.context + field.pending;
    for (const window of textWindows(text)) inputs.push([{ type: 'text', text: window }]);
    field.context = text.slice(-windowOverlap);
    field.pending = '';
  }
  choice.moderatedLength = choice.totalLength;
  return inputs;
}

/** Events whose text ends at or before a position, in order. One without text does not wait unless text before it does. */
function* releaseUpTo(choice: Choice, position: number): Generator<ChoiceEvent> {
  const { buffered } = choice;
  let count = 0;
  for (const { end } of buffered) {
    if (end > Math.max(position, choice.releasedLength)) break;
    choice.releasedLength = end;
    count++;
  }
  for (const { event } of buffered.splice(0, count)) yield event;
}
