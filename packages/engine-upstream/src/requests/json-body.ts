import { maxBodyBytes } from '../replies/reply-text.ts';

/** Media types, besides that of event streams, with which servers send event streams. JSON may be a complete reply. */
const otherMediaTypes: ReadonlySet<string> = new Set([
  'text/event-stream',
  'text/plain',
  'application/octet-stream',
  '',
]);

export function maySendEvents(mediaType: string): boolean {
  return (
    otherMediaTypes.has(mediaType) || /^application\/(?:[\w.-]+[+-])?(?:(?:nd)?json|jsonl|jsonlines)$/.test(mediaType)
  );
}

/** Collects the body of a reply that is JSON although events were requested. Its first character decides, not the media type. */
export class JsonBody {
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  #isJson: boolean | undefined;

  /** Whether these bytes belong to JSON. */
  accepts(chunks: readonly Buffer[]): boolean {
    for (const chunk of this.#isJson === undefined ? chunks : []) {
      const first = chunk.find((byte) => !whitespace.has(byte));
      if (first === undefined) continue;
      this.#isJson = first === brace || first === bracket;
      break;
    }
    return this.#isJson === true;
  }

  /** False if the body is too large. */
  add(chunks: readonly Buffer[]): boolean {
    this.#chunks.push(...chunks);
    for (const { length } of chunks) this.#bytes += length;
    return this.#bytes <= maxBodyBytes;
  }

  /** Undefined for a body that is not JSON. */
  text(): string | undefined {
    return this.#isJson === true ? Buffer.concat(this.#chunks).toString() : undefined;
  }
}

const brace = 0x7b;
const bracket = 0x5b;
/** Includes the bytes of a byte order mark. */
const whitespace: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf]);
