import type { ChatEvent, ChatRequest } from '@modelwire/ports';
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
  const { maxAttempts, onStep } = options;
  for (let attempt = 2; attempt <= maxAttempts; attempt++) {
    const { reader: before } = part;
    const continues: boolean = before.canonical !== '' && !hasContinued;
    hasContinued = continues;
    const answer = answerReader(part, continues);
    const request = repairRequest(part, continues, options);
    let cutBy: Repaired['cutBy'];
    for await (const event of attempts.send(request)) {
      if (event.type === 'usage') yield event;
      part.addTokens(tokensOf(event));
      if (event.type === 'finish' && (event.reason === 'length' || event.reason === 'content_filter'))
        cutBy = event.reason;
      if (event.type !== 'text') continue;
      answer.write(event.text);
      if (part.isStreamed) yield* part.send(answer.take());
      if (answer.rejection && attempt < maxAttempts) break;
    }
    if (part.isStreamed) yield* part.send(answer.take());
    const isValid = cutBy === undefined && answer.end() !== undefined;
    if (isValid || cutBy) {
      yield* part.send(part.isStreamed ? answer.take() : answer.text, true);
      if (isValid) onStep(continues ? 'continued' : 'repeated');
      return { cutBy };
    }
    ({ rejection } = answer);
    // An answer with more of the document is continued.
    if (answer.canonical.length > before.canonical.length && answer.hasRepeated) {
      part.reader = answer;
      hasContinued = false;
    }
  }
  onStep('failed');
  throw invalidOutput(part, rejection, attempts.count);
}

/** Reads an answer, which may be the rest of the document or all of it, whatever was requested. */
function answerReader({ reader, grammar, hasBegun }: OutputPart, continues: boolean): DocumentReader {
  const { canonical } = reader;
  if (!hasBegun && !continues) return grammar.read();
  const repeated = grammar.read(canonical);
  if (!continues) return repeated;
  return new Alternatives(hasBegun ? [repeated, reader.rest()] : [repeated, reader.rest(), grammar.read()]);
}

function repairRequest(
  { reader, grammar, place, raw }: OutputPart,
  continues: boolean,
  { request, canPrefill }: GuaranteeOptions,
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
  if (continues && canPrefill && isContent) return withPrefill(base, reader.text);
  const { reason = 'it is incomplete', position = 0 } = reader.rejection ?? {};
  const what = isContent ? 'That reply' : `The input of your call of the tool '${place.name}'`;
  const sentences = [
    `${what} is invalid: ${reason} (character ${position}).`,
    `Reply with the whole of it and nothing else: ${grammar.description}`,
    ...(continues ? [`It has to begin with exactly this text: ${reader.text}`] : []),
  ];
  const instruction = { role: 'user', content: sentences.join('\n') } as const;
  const reply = raw === '' ? [] : [{ role: 'assistant', content: raw } as const];
  return { ...base, messages: [...messages, ...reply, instruction] };
}
