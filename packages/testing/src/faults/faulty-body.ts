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
  let steps: AsyncIterable<Step> = isStream ? frames(body) : halves(body);
  for (const fault of faults) steps = withFault(steps, fault);
  yield* steps;
}

function withFault(steps: AsyncIterable<Step>, fault: PlannedFault): AsyncIterable<Step> {
  switch (fault.fault) {
    case 'token-pace':
      return withPace(steps, fault.ms);
    case 'drop':
    case 'reset':
    case 'stall':
      return fault.afterChunks === undefined ? steps : withConnectionFault(steps, fault, fault.afterChunks);
    case 'malformed-frame':
      return malformed(steps, fault.atChunk);
    case 'truncated':
      return truncated(steps, fault.afterChunks);
    case 'split-utf8':
      return splitCharacters(steps);
    case 'slow-body':
      return slow(steps, fault.bytesPerSecond);
    default:
      return steps;
  }
}

const encoder = new TextEncoder();

/** Splits a stream into its events. */
async function* frames(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Step> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body ?? []) {
    const parts = `${rest}${decoder.decode(chunk, { stream: true })}`.split('\n\n');
    rest = parts.pop() ?? '';
    for (const part of parts) yield { bytes: encoder.encode(`${part}\n\n`) };
  }
  if (rest !== '') yield { bytes: encoder.encode(rest) };
}

/** Splits a body that is not an event stream into two chunks. */
async function* halves(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Step> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body ?? []) chunks.push(chunk);
  const bytes = Uint8Array.from(Buffer.concat(chunks));
  const half = bytes.length >> 1;
  if (half > 0) yield { bytes: bytes.subarray(0, half) };
  if (bytes.length > 0) yield { bytes: bytes.subarray(half) };
}

async function* withPace(steps: AsyncIterable<Step>, ms: number): AsyncGenerator<Step> {
  for await (const step of steps) {
    if ('bytes' in step) yield { wait: ms };
    yield step;
  }
}

async function* withConnectionFault(
  steps: AsyncIterable<Step>,
  fault: PlannedFaultOf<ConnectionFault>,
  after: number,
): AsyncGenerator<Step> {
  let chunks = 0;
  const wait = fault.fault === 'stall' ? fault.ms : undefined;
  for await (const step of steps) {
    if ('bytes' in step && chunks++ === after) {
      if (wait === undefined) break;
      yield { wait };
    }
    yield step;
  }
  if (wait === undefined) yield { breaks: fault.fault };
}

async function* malformed(steps: AsyncIterable<Step>, chunkNumber: number): AsyncGenerator<Step> {
  let chunks = 0;
  for await (const step of steps) {
    if ('bytes' in step && ++chunks === chunkNumber) yield { bytes: encoder.encode(`${truncateJson(step.bytes)}\n\n`) };
    else yield step;
  }
}

/** An event up to the middle of its JSON. */
function truncateJson(event: Uint8Array): string {
  const text = new TextDecoder().decode(event).trimEnd();
  const start = text.indexOf('{');
  return start === -1 ? 'data: {' : text.slice(0, Math.ceil((start + text.length) / 2));
}

/** `[DONE]`, or the event that ends a response. */
const lastEvent = /^(?:data: \[DONE\]|event: response\.(?:completed|incomplete|failed)\n)/;

async function* truncated(steps: AsyncIterable<Step>, after: number | undefined): AsyncGenerator<Step> {
  let chunks = 0;
  for await (const step of steps) {
    if ('bytes' in step) {
      if (after !== undefined && chunks++ === after) return;
      if (after === undefined && lastEvent.test(new TextDecoder().decode(step.bytes))) return;
    }
    yield step;
  }
}

/** Splits each multi-byte character after its first byte. */
async function* splitCharacters(steps: AsyncIterable<Step>): AsyncGenerator<Step> {
  for await (const step of steps) {
    if (!('bytes' in step)) {
      yield step;
      continue;
    }
    const { bytes } = step;
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

async function* slow(steps: AsyncIterable<Step>, bytesPerSecond: number): AsyncGenerator<Step> {
  const length = Math.max(1, Math.floor((bytesPerSecond * slowStepMs) / 1000));
  const wait = (length / bytesPerSecond) * 1000;
  for await (const step of steps) {
    if (!('bytes' in step)) yield step;
    else {
      for (let offset = 0; offset < step.bytes.length; offset += length) {
        yield { wait };
        yield { bytes: step.bytes.subarray(offset, offset + length) };
      }
    }
  }
}
