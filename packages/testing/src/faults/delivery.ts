import type { PlannedFault, PlannedFaultOf } from './schema.ts';

/** How a connection goes wrong: closed in the middle, reset, or nothing more comes. */
export type Breakage = 'drop' | 'reset' | 'stall';

/** A part of a body on its way. */
export type Step =
  { readonly bytes: Uint8Array<ArrayBuffer> } | { readonly wait: number } | { readonly breaks: Breakage };

/** A body as faults leave it. Whoever delivers it waits where it says so, and breaks off where it says so. */
export async function* steps(
  body: ReadableStream<Uint8Array> | null,
  isStream: boolean,
  faults: readonly PlannedFault[],
): AsyncGenerator<Step> {
  let pieces: AsyncIterable<Step> = isStream ? frames(body) : halves(body);
  for (const fault of faults) pieces = befallen(pieces, fault);
  yield* pieces;
}

function befallen(pieces: AsyncIterable<Step>, fault: PlannedFault): AsyncIterable<Step> {
  switch (fault.fault) {
    case 'token-pace':
      return paced(pieces, fault.ms);
    case 'drop':
    case 'reset':
    case 'stall':
      return fault.afterChunks === undefined ? pieces : breaking(pieces, fault, fault.afterChunks);
    case 'malformed-frame':
      return malformed(pieces, fault.atChunk);
    case 'truncated':
      return truncated(pieces, fault.afterChunks);
    case 'split-utf8':
      return splitCharacters(pieces);
    case 'slow-body':
      return slow(pieces, fault.bytesPerSecond);
    default:
      return pieces;
  }
}

const encoder = new TextEncoder();

/** Each event of a stream by itself. */
async function* frames(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Step> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of body ?? []) {
    const parts = `${rest}${decoder.decode(piece, { stream: true })}`.split('\n\n');
    rest = parts.pop() ?? '';
    for (const part of parts) yield { bytes: encoder.encode(`${part}\n\n`) };
  }
  if (rest !== '') yield { bytes: encoder.encode(rest) };
}

/** What is no stream of events has two chunks. */
async function* halves(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Step> {
  const all: Uint8Array[] = [];
  for await (const piece of body ?? []) all.push(piece);
  const whole = Uint8Array.from(Buffer.concat(all));
  const half = whole.length >> 1;
  if (half > 0) yield { bytes: whole.subarray(0, half) };
  if (whole.length > 0) yield { bytes: whole.subarray(half) };
}

async function* paced(pieces: AsyncIterable<Step>, ms: number): AsyncGenerator<Step> {
  for await (const piece of pieces) {
    if ('bytes' in piece) yield { wait: ms };
    yield piece;
  }
}

async function* breaking(
  pieces: AsyncIterable<Step>,
  fault: PlannedFaultOf<Breakage>,
  after: number,
): AsyncGenerator<Step> {
  let chunks = 0;
  const wait = fault.fault === 'stall' ? fault.ms : undefined;
  for await (const piece of pieces) {
    if ('bytes' in piece && chunks++ === after) {
      if (wait === undefined) break;
      yield { wait };
    }
    yield piece;
  }
  if (wait === undefined) yield { breaks: fault.fault };
}

async function* malformed(pieces: AsyncIterable<Step>, at: number): AsyncGenerator<Step> {
  let chunks = 0;
  for await (const piece of pieces) {
    if ('bytes' in piece && ++chunks === at)
      yield { bytes: encoder.encode('data: {"id":"chatcmpl-","choices":[{"del\n\n') };
    else yield piece;
  }
}

async function* truncated(pieces: AsyncIterable<Step>, after: number | undefined): AsyncGenerator<Step> {
  let chunks = 0;
  for await (const piece of pieces) {
    if ('bytes' in piece) {
      if (after !== undefined && chunks++ === after) return;
      if (after === undefined && new TextDecoder().decode(piece.bytes).startsWith('data: [DONE]')) return;
    }
    yield piece;
  }
}

/** Each character of several bytes is cut after its first one. */
async function* splitCharacters(pieces: AsyncIterable<Step>): AsyncGenerator<Step> {
  for await (const piece of pieces) {
    if (!('bytes' in piece)) {
      yield piece;
      continue;
    }
    const { bytes } = piece;
    let from = 0;
    for (const [at, byte] of bytes.entries()) {
      if (byte < 0xc0) continue;
      yield { bytes: bytes.subarray(from, at + 1) };
      // Apart in time, or a connection would join them again.
      yield { wait: 2 };
      from = at + 1;
    }
    yield { bytes: bytes.subarray(from) };
  }
}

const slowStepMs = 20;

async function* slow(pieces: AsyncIterable<Step>, bytesPerSecond: number): AsyncGenerator<Step> {
  const length = Math.max(1, Math.floor((bytesPerSecond * slowStepMs) / 1000));
  const wait = (length / bytesPerSecond) * 1000;
  for await (const piece of pieces) {
    if (!('bytes' in piece)) yield piece;
    else {
      for (let at = 0; at < piece.bytes.length; at += length) {
        yield { wait };
        yield { bytes: piece.bytes.subarray(at, at + length) };
      }
    }
  }
}
