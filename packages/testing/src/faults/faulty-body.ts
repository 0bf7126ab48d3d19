import type { PlannedFault, PlannedFaultOf } from './schema.ts';

/** A connection fault: closed before the end, reset, or stalled. */
export type ConnectionFault = 'drop' | 'reset' | 'stall';

/** One step of the delivery of a body. */
export type Step =
  { readonly bytes: Uint8Array<ArrayBuffer> } | { readonly wait: number } | { readonly breaks: ConnectionFault };

/** A body with faults, in steps: bytes, delays, and connection faults. */
export async function* deliverySteps(
  body: ReadableStream<Uint8Array> | null,
  isStream: boolean,
  faults: readonly PlannedFault[],
): AsyncGenerator<Step> {
  let pieces: AsyncIterable<Step> = isStream ? frames(body) : halves(body);
  for (const fault of faults) pieces = withFault(pieces, fault);
  yield* pieces;
}

function withFault(pieces: AsyncIterable<Step>, fault: PlannedFault): AsyncIterable<Step> {
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

/** Splits a stream into its events. */
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

/** Splits a body that is not an event stream into two chunks. */
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
  fault: PlannedFaultOf<ConnectionFault>,
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
    if ('bytes' in piece && ++chunks === at) yield { bytes: encoder.encode(`${cutJson(piece.bytes)}\n\n`) };
    else yield piece;
  }
}

/** An event up to the middle of its JSON. */
function cutJson(event: Uint8Array): string {
  const text = new TextDecoder().decode(event).trimEnd();
  const start = text.indexOf('{');
  return start === -1 ? 'data: {' : text.slice(0, Math.ceil((start + text.length) / 2));
}

/** `[DONE]`, or the event that ends a response. */
const lastEvent = /^(?:data: \[DONE\]|event: response\.(?:completed|incomplete|failed)\n)/;

async function* truncated(pieces: AsyncIterable<Step>, after: number | undefined): AsyncGenerator<Step> {
  let chunks = 0;
  for await (const piece of pieces) {
    if ('bytes' in piece) {
      if (after !== undefined && chunks++ === after) return;
      if (after === undefined && lastEvent.test(new TextDecoder().decode(piece.bytes))) return;
    }
    yield piece;
  }
}

/** Splits each multi-byte character after its first byte. */
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
      // With a delay, so that a connection does not join them.
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
