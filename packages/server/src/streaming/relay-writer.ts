import type { EventSink } from './event-pipe.ts';
import { paddingStep } from './chunks.ts';
import type { ChunkOptions } from './chunks.ts';
import type { CompletionMetadata } from './completion-metadata.ts';
import { padding, utf8Length } from './obfuscation.ts';

type Fields = Readonly<Record<string, unknown>>;

/** One chunk as its upstream sent it: the text, what that says, and whether we changed what it says. */
export interface RelayedChunk {
  readonly text: string;
  readonly chunk: Fields;
  readonly changed: boolean;
}

/** Text of an upstream's chunks up to their choices, and the same as we say it. */
interface Envelope {
  readonly theirs: string;
  readonly ours: string;
}

/** What may follow the choices and says nothing that is not replaced anyway. */
const plainTail = /^\](?:,"usage":null)?(?:,"obfuscation":"[^"\\]*")?\}$/;

/**
 * Writes an upstream's chunks with our own id, time, model and padding; every other field stays. Nearly all chunks of a
 * stream differ in their choices alone: those are taken as they stand in the text, not written again.
 */
export function relayWriter(
  head: CompletionMetadata,
  options: ChunkOptions,
  { write }: Pick<EventSink, 'write'>,
): (relayed: RelayedChunk) => void {
  const { includeUsage, obfuscate, topLogprobs } = options;
  const closing = includeUsage ? '],"usage":null' : ']';
  const step = paddingStep(topLogprobs);
  let envelope: Envelope | undefined;

  function end(choices: string): void {
    if (obfuscate) write(closing, ',"obfuscation":"', padding(utf8Length(choices), emptyChoice, step), '"}\n\n');
    else write(closing, '}\n\n');
  }
  return ({ text, chunk, changed }) => {
    if (!changed && envelope && text.startsWith(envelope.theirs)) {
      const last = text.lastIndexOf(']');
      if (plainTail.test(text.slice(last))) {
        const choices = text.slice(envelope.theirs.length, last);
        write('data: ', envelope.ours, choices);
        end(choices);
        return;
      }
    }
    envelope ??= envelopeOf(text, head);
    const { obfuscation, usage, choices, ...rest } = chunk;
    const inner = JSON.stringify(choices).slice(1, -1);
    write('data: ', opening(rest, head), inner);
    end(inner);
  };
}

/** Fields before the choices. Found in the text only where cutting there leaves a whole object. */
function envelopeOf(text: string, head: CompletionMetadata): Envelope | undefined {
  const mark = '"choices":[';
  const at = text.indexOf(mark);
  if (at === -1) return undefined;
  const theirs = text.slice(0, at + mark.length);
  try {
    const { choices, ...before } = JSON.parse(`${theirs}]}`) as Fields;
    return { theirs, ours: opening(before, head) };
  } catch {
    return undefined;
  }
}

function opening(fields: Fields, head: CompletionMetadata): string {
  const { id, created, model, service_tier } = head;
  const own = { ...fields, id, object: 'chat.completion.chunk', created, model };
  const json = JSON.stringify({ ...own, service_tier: fields['service_tier'] ?? service_tier });
  return `${json.slice(0, -1)},"choices":[`;
}

const emptyChoice = '{"index":0,"delta":{"content":""},"logprobs":null,"finish_reason":null}'.length;
