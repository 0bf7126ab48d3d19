import type { ChatEvent, ChatRequest } from '@modelwire/ports';
import { RequestError } from '../errors.ts';
import type { PrefillAnswer } from '../models/prefill.ts';
import { tokensOf } from '../streaming/events.ts';
import { Alternatives } from './alternatives.ts';
import type { Attempts } from './attempts.ts';
import type { DocumentReader } from './document-reader.ts';
import type { GuaranteeOptions } from './guarantee-options.ts';
import { invalidOutput } from './invalid-output.ts';
import type { OutputPart } from './output-part.ts';
import { withPrefill } from './with-prefill.ts';

interface Repaired {
  /** Why the document is incomplete nevertheless. */
  readonly cutBy: 'length' | 'content_filter' | undefined;
}

/** How the rest of a document is requested, or the whole document. */
type Way = 'prefill' | 'instruction' | 'whole';

/**
 * Requests the rest of an invalid document, and after that the whole document, in turns. What was sent stays: a whole document has to begin with
 * it.
 *
 * @throws RequestError 502 after the last attempt.
 */
export async function* repair(
  part: OutputPart,
  attempts: Attempts,
  options: GuaranteeOptions,
): AsyncGenerator<ChatEvent, Repaired> {
  let hasContinued = false;
  let { rejection } = part.reader;
  const { maxAttempts, onStep, prefill } = options;
  for (let attempt = 2; attempt <= maxAttempts; attempt++) {
    const { reader: before } = part;
    const way = wayOf(part, hasContinued, options);
    hasContinued = way !== 'whole';
    const answer = readAnswer(part, way);
    const request = repairRequest(part, way, options);
    let finish: string | undefined;
    let isRefused = false;
    try {
      for await (const event of attempts.send(request)) {
        if (event.type === 'usage') yield event;
        part.addTokens(tokensOf(event));
        if (event.type === 'finish') finish = event.reason;
        if (event.type !== 'text') continue;
        answer.reader.write(event.text);
        if (part.isStreamed) yield* part.send(answer.reader.take());
        if (answer.reader.rejection && attempt < maxAttempts) break;
      }
    } catch (error) {
      if (!isRefusal(error, way)) throw error;
      isRefused = true;
    }
    if (part.isStreamed) yield* part.send(answer.reader.take());
    const cutBy = finish === 'length' || finish === 'content_filter' ? finish : undefined;
    if (!isRefused && finish === undefined && !answer.reader.rejection)
      throw new Error('the engine ended without a finish event');
    const isValid = !isRefused && !cutBy && answer.reader.end() !== undefined;
    if (way === 'prefill') prefill.report(isRefused ? 'refused' : answer.kind());
    if (isValid || cutBy) {
      yield* part.send(part.isStreamed ? answer.reader.take() : answer.reader.text, true);
      if (isValid) onStep(way === 'whole' ? 'repeated' : 'continued');
      return { cutBy };
    }
    rejection = answer.reader.rejection ?? rejection;
    // What was refused as a message is an instruction next.
    if (isRefused && way === 'prefill') hasContinued = false;
    // An answer with more of the document is continued.
    if (answer.reader.canonical.length > before.canonical.length && answer.reader.hasRepeated) {
      part.reader = answer.reader;
      hasContinued = false;
    }
  }
  onStep('failed');
  throw invalidOutput(part, rejection, attempts.count);
}

/**
 * Whether an engine accepts other requests, but not this one. Servers whose chat template does not know a message of the assistant at the end
 * fail with 500.
 */
function isRefusal(error: unknown, way: Way): boolean {
  const statuses = way === 'prefill' ? [400, 413, 422, 500, 502] : [400, 413, 422];
  return error instanceof RequestError && statuses.includes(error.status);
}

function wayOf({ reader, place }: OutputPart, hasContinued: boolean, { prefill, request }: GuaranteeOptions): Way {
  if (reader.canonical === '' || hasContinued) return 'whole';
  // Servers refuse two messages of the assistant at the end.
  const isAnswer = request.messages.at(-1)?.role !== 'assistant';
  return place.type === 'text' && prefill.isSupported && isAnswer ? 'prefill' : 'instruction';
}

interface Answer {
  readonly reader: DocumentReader;
  /** What the engine answered with, once it has ended. */
  readonly kind: () => PrefillAnswer;
}

/** Reads an answer, which may be the rest of the document or all of it, whatever was requested. */
function readAnswer({ reader, grammar, hasBegun }: OutputPart, way: Way): Answer {
  const { canonical } = reader;
  if (way === 'whole') return { reader: grammar.read(hasBegun ? canonical : undefined), kind: () => 'unclear' };
  const rest = reader.rest();
  const repeated = grammar.read(canonical);
  const fresh = hasBegun ? [] : [grammar.read()];
  const alternatives = new Alternatives([repeated, rest, ...fresh]);
  return {
    reader: alternatives,
    kind() {
      if (alternatives.leader === rest && rest.canonical !== canonical) return 'continued';
      return [repeated, ...fresh].some((whole) => whole.canonical !== '') ? 'began again' : 'unclear';
    },
  };
}

function repairRequest(
  { reader, grammar, place, raw }: OutputPart,
  way: Way,
  { request }: GuaranteeOptions,
): ChatRequest {
  const isContent = place.type === 'text';
  const base: ChatRequest = {
    ...request,
    n: 1,
    tools: [],
    tool_choice: 'none',
    ...(!isContent && { response_format: { type: 'text' } }),
  };
  const { messages } = request;
  if (way === 'prefill') return withPrefill(base, reader.text);
  const { reason = 'it is incomplete', position = 0 } = reader.rejection ?? {};
  const what = isContent ? 'That reply' : `The input of your call of the tool '${place.name}'`;
  const sentences = [
    `${what} is invalid: ${reason} (character ${position}).`,
    `Reply with the whole of it and nothing else: ${grammar.description}`,
    ...(way === 'instruction' ? [`It has to begin with exactly this text: ${reader.text}`] : []),
  ];
  const instruction = { role: 'user', content: sentences.join('\n') } as const;
  const reply = raw === '' ? [] : [{ role: 'assistant', content: raw } as const];
  return { ...base, messages: [...messages, ...reply, instruction] };
}
