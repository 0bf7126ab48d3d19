import type { EventSink } from './event-pipe.ts';
import { textOfChunk } from '@modelwire/ports';
import { chunkTemplate } from './chunk-template.ts';
import type { ChunkTemplate, RenderedChunk } from './chunk-template.ts';
import { paddingStep, padding, utf8Length } from './stream.ts';
import type { ChunkOptions } from './stream.ts';
import type { CompletionMetadata } from './completion-metadata.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A chunk as its upstream sent it: its JSON, its fields, and whether the server changed the fields. */
export interface RelayedChunk {
  readonly text: string;
  readonly chunk: Fields;
  readonly changed: boolean;
  /** Whether it has exactly one choice with a delta that may have text, and nothing else that must be inspected. */
  readonly isDelta: boolean;
}

/** Writes the chunks of an upstream with the server's ID, time, model and padding; other fields are kept. */
export interface RelayWriter {
  /** Writes a chunk that differs from an earlier one only in its text, without parsing it. False, and nothing written, for any other. */
  repeat(text: string): boolean;
  write(relayed: RelayedChunk): void;
}

/** The upstream's JSON up to the choices, and the same with the server's fields. */
interface Envelope {
  readonly upstreamPrefix: string;
  readonly clientPrefix: string;
}

/** Fields that may follow the choices, and are replaced. */
const plainTail = /^\](?:,"usage":null)?(?:,"obfuscation":"[^"\\]*")?\}$/;

/** Chunks alternate between choices, and between text and reasoning. */
const maxTemplates = 4;
/** Number of unused templates after which no more are created. */
const maxUnused = 16;

/**
 * Nearly all chunks of a stream differ only in the text of their delta, or only in their choices, which are therefore cut out of the JSON
 * unparsed.
 */
export function relayWriter(
  metadata: CompletionMetadata,
  options: ChunkOptions,
  { write }: Pick<EventSink, 'write'>,
): RelayWriter {
  const { includeUsage, obfuscate, topLogprobs } = options;
  const closing = `${includeUsage ? '],"usage":null' : ']'}${obfuscate ? ',"obfuscation":"' : '}\n\n'}`;
  const step = paddingStep(topLogprobs);
  let envelope: Envelope | undefined;
  let templates: WritableTemplate[] = [];
  let unused = 0;

  function render(text: string, chunk: Fields, changed: boolean): RenderedChunk {
    if (!changed && envelope && text.startsWith(envelope.upstreamPrefix)) {
      const last = text.lastIndexOf(']');
      if (plainTail.test(text.slice(last))) {
        return { opening: envelope.clientPrefix, choices: text.slice(envelope.upstreamPrefix.length, last) };
      }
    }
    const { obfuscation, usage, choices, ...rest } = chunk;
    return { opening: opening(rest, metadata), choices: JSON.stringify(choices).slice(1, -1) };
  }
  function addTemplate(text: string): void {
    if (unused > maxUnused) return;
    const template = chunkTemplate(text, (marked, chunk) => render(marked, chunk, false));
    if (!template) return;
    unused += 1;
    const { choicesBefore, choicesAfter } = template;
    const added = {
      ...template,
      start: `data: ${template.opening}${choicesBefore}`,
      end: choicesAfter + closing,
      bytes: utf8Length(choicesBefore) + utf8Length(choicesAfter),
    };
    templates = [added, ...templates.slice(0, maxTemplates - 1)];
  }
  return {
    repeat(text) {
      for (const template of templates) {
        const content = textOfChunk(text, template);
        if (content === undefined) continue;
        unused = 0;
        const { start, end, bytes } = template;
        if (obfuscate) {
          write(start, content, end, padding(bytes + utf8Length(content), emptyChoice, step), '"}\n\n');
        } else write(start, content, end);
        return true;
      }
      return false;
    },
    write({ text, chunk, changed, isDelta }) {
      const { opening, choices } = render(text, chunk, changed);
      if (obfuscate) {
        write('data: ', opening, choices, closing, padding(utf8Length(choices), emptyChoice, step), '"}\n\n');
      } else write('data: ', opening, choices, closing);
      if (envelope && isDelta && !changed) addTemplate(text);
      envelope ??= envelopeOf(text, metadata);
    },
  };
}

/** Includes the output before and after the text, and the UTF-8 length of the choices without it. */
interface WritableTemplate extends ChunkTemplate {
  readonly start: string;
  readonly end: string;
  readonly bytes: number;
}

/** Fields before the choices. Taken from the text only if splitting there leaves a complete object. */
function envelopeOf(text: string, metadata: CompletionMetadata): Envelope | undefined {
  const marker = '"choices":[';
  const at = text.indexOf(marker);
  if (at === -1) return undefined;
  const upstreamPrefix = text.slice(0, at + marker.length);
  try {
    const { choices, ...before } = JSON.parse(`${upstreamPrefix}]}`) as Fields;
    return { upstreamPrefix, clientPrefix: opening(before, metadata) };
  } catch {
    return undefined;
  }
}

function opening(fields: Fields, metadata: CompletionMetadata): string {
  const { id, created, model, service_tier } = metadata;
  const replaced = { ...fields, id, object: 'chat.completion.chunk', created, model };
  const json = JSON.stringify({ ...replaced, service_tier: fields['service_tier'] ?? service_tier });
  return `${json.slice(0, -1)},"choices":[`;
}

const emptyChoice = '{"index":0,"delta":{"content":""},"logprobs":null,"finish_reason":null}'.length;
