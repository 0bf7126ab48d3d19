import { bodyTooLarge, invalid, unsupportedEncoding } from '../errors.ts';
import type { BodyWatchdog, WatchedBody } from './body-watchdog.ts';
import type { ByteReservation } from './byte-budget.ts';
import { ChunkBuffer } from './chunk-buffer.ts';

/** Limits for reading a body into memory. */
export interface BodyLimits {
  readonly maxBytes: number;
  readonly memory: ByteReservation | undefined;
  readonly watchdog: BodyWatchdog;
}

/** What becomes of a body that is received. */
interface BodyOutcome {
  readonly resolve: (bytes: Uint8Array) => void;
  /** Called once. What arrives afterwards is not kept. */
  readonly reject: (error: Error) => void;
}

/** Receives a body into memory. Its methods are properties, since they are listeners. */
export class BodyReceiver {
  readonly #limits: BodyLimits;
  /** Undefined when it is settled: the request, which lives on, does not hold the bytes. */
  #outcome: BodyOutcome | undefined;
  readonly #watchedBody: WatchedBody;
  #chunks = new ChunkBuffer();

  constructor(limits: BodyLimits, outcome: BodyOutcome) {
    this.#limits = limits;
    this.#outcome = outcome;
    this.#watchedBody = limits.watchdog.watch(this.fail);
  }

  /** Returns false if the body is refused. */
  readonly receive = (chunk: Uint8Array): boolean => {
    const { maxBytes, memory } = this.#limits;
    this.#watchedBody.receive(chunk.byteLength);
    try {
      if (this.#chunks.length + chunk.byteLength > maxBytes) throw bodyTooLarge(maxBytes);
      // Reserve memory before keeping the chunk.
      memory?.acquireNow(chunk.byteLength);
      this.#chunks.add(chunk);
      return true;
    } catch (error) {
      this.fail(error);
      return false;
    }
  };

  readonly end = (): void => {
    const chunks = this.#chunks;
    this.#settle()?.resolve(chunks.join());
  };

  readonly fail = (thrown: unknown): void => {
    this.#settle()?.reject(thrown instanceof Error ? thrown : new Error('a body could not be read', { cause: thrown }));
  };

  #settle(): BodyOutcome | undefined {
    const outcome = this.#outcome;
    if (outcome) this.#watchedBody.end();
    this.#outcome = undefined;
    this.#chunks = new ChunkBuffer();
    return outcome;
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Decodes bytes from a client. A byte order mark at the start is skipped.
 *
 * @param what Named in the error, for instance `The request body`.
 * @throws a 400 for bytes that are not UTF-8.
 */
export function decodeText(bytes: Uint8Array, what: string, param: string | null = null): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw invalid(param, `${what} is not valid UTF-8.`, 'invalid_encoding');
  }
}

/** @throws a 415 for a body with a content coding. */
export function assertUnencoded(encoding: string | null): void {
  if (encoding !== null && encoding.toLowerCase() !== 'identity') throw unsupportedEncoding(encoding);
}
