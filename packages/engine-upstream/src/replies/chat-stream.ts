import { isRecord, parseJson } from '@modelwire/adapter-kit';
import { runAtOnce } from '@modelwire/adapter-kit/internal';
import { splitChunk, textOfChunk } from './chunk-text.ts';
import type { RelayedChunk } from '@modelwire/ports';
import type { ChunkParts } from './chunk-text.ts';
import type { OpenReply } from '../attempts/attempts.ts';
import { ChunkNormalizer } from './chunk-normalizer.ts';
import type { ExpectedReply, NormalizedChunk } from './chunk-normalizer.ts';
import { completionChunk, normalizeCompletion } from './completion-normalizer.ts';
import { unexpectedReply } from '../attempts/failures.ts';
import { replaceNonFinite } from '../requests/json.ts';
import { hasToken } from './first-token.ts';
import { openPayloads } from './payloads.ts';
import type { PayloadReader, PayloadReading, Payloads } from './payloads.ts';
import type { ServerSettings } from '../presets/settings.ts';

/** Chunks alternate between choices, and between text and reasoning. */
const maxKnownParts = 4;

/** Opens a streamed reply to a chat request as chunks of the API. */
export function openChatStream(expected: ExpectedReply): OpenReply<Payloads<RelayedChunk>> {
  return (upstreamReply) => openPayloads(upstreamReply, new ChatStreamReader(upstreamReply.server, expected));
}

/**
 * Reads chunks with one normalizer. A chunk that differs only in its text from an earlier one that was right is passed on unparsed: parsing
 * hundreds of chunks takes longer than everything else that the relay does.
 */
class ChatStreamReader implements PayloadReader<RelayedChunk> {
  readonly endsWhenFinished = false;
  readonly #server: ServerSettings;
  readonly #expected: ExpectedReply;
  readonly #normalizer: ChunkNormalizer;
  #known: ChunkParts[] = [];

  constructor(server: ServerSettings, expected: ExpectedReply) {
    this.#server = server;
    this.#expected = expected;
    this.#normalizer = new ChunkNormalizer(server, expected);
  }

  read(payload: string): PayloadReading<RelayedChunk> {
    for (const parts of this.#known) {
      if (textOfChunk(payload, parts) !== undefined) return { item: { text: payload }, hasOutput: true };
    }
    let received = parseJson(payload);
    const finite = received === undefined ? runAtOnce(replaceNonFinite(payload)) : undefined;
    if (finite !== undefined) received = parseJson((payload = finite));
    if (!isRecord(received)) return { failure: unexpectedReply('a frame that is no JSON object', this.#server.name) };
    const normalized = this.#normalizer.read(received);
    if (normalized === undefined || 'failure' in normalized) return normalized;
    if (normalized.isText) this.#remember(payload);
    else if (this.#normalizer.hasEnded) this.#known = [];
    return toReading(normalized, normalized.chunk === received ? payload : undefined);
  }

  readComplete(value: unknown): ReturnType<PayloadReader<RelayedChunk>['readComplete']> {
    if (!isRecord(value)) return undefined;
    const normalized = normalizeCompletion(value, this.#server, this.#expected);
    if (normalized === undefined || 'failure' in normalized) return normalized;
    return { payload: JSON.stringify(completionChunk(normalized.value)) };
  }

  isFinished(): boolean {
    return this.#normalizer.isFinished();
  }

  end(): PayloadReading<RelayedChunk> {
    const last = this.#normalizer.end();
    return last === undefined || 'failure' in last ? last : toReading(last, undefined);
  }

  #remember(payload: string): void {
    const parts = splitChunk(payload);
    if (parts) this.#known = [parts, ...this.#known.slice(0, maxKnownParts - 1)];
  }
}

function toReading({ chunk }: NormalizedChunk, text: string | undefined): PayloadReading<RelayedChunk> {
  return {
    item: { text: text ?? JSON.stringify(chunk), chunk, isChanged: text === undefined },
    hasOutput: hasToken(chunk),
  };
}
