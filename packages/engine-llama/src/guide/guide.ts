/**
 * The kind of a byte of a reply: text, input of a tool call, or hidden syntax. `mark` completes a mark: it and the `held` bytes
 * of text before it are syntax.
 */
export type Channel = 'text' | 'input' | 'none' | 'mark';

/** A tool that can be called. */
export interface Callable {
  readonly kind: 'function' | 'custom';
  readonly name: string;
}

/**
 * The state of a constrained reply, byte by byte. Guides are immutable, like the grammar states that some contain, and each can
 * reach an end.
 */
export interface Guide {
  /** The guide after one more byte; undefined if the byte is not allowed. */
  advance(byte: number): Guide | undefined;
  /** Whether the reply can end here. */
  readonly canEnd: boolean;
  /** Whether the reply must end here. */
  readonly mustEnd: boolean;
  /** The bytes of a short completion. */
  completion(): Uint8Array;
  /** Almost any byte is allowed: tokens are checked after sampling instead of before. */
  readonly free: boolean;
  /** The kind and value of an allowed byte. */
  says(byte: number): { readonly channel: Channel; readonly byte: number };
  /** How many of the last bytes of text may be the start of a mark. */
  readonly held: number;
  /** The tool whose input is being generated. */
  readonly tool: Callable | undefined;
  /** The output is reasoning and hidden. */
  readonly hidden?: boolean;
}

export const noBytes: Uint8Array = new Uint8Array();
const encoder = new TextEncoder();

/** The end of the reply. */
export const endGuide: Guide = {
  advance: () => undefined,
  canEnd: true,
  mustEnd: true,
  completion: () => noBytes,
  free: false,
  says: (byte) => ({ channel: 'none', byte }),
  held: 0,
  tool: undefined,
};

/** Exactly this text as syntax, then the next guide. */
export function literal(text: string, then: () => Guide): Guide {
  return from(encoder.encode(text), 0, then);
}

function from(bytes: Uint8Array, at: number, then: () => Guide): Guide {
  if (at >= bytes.length) return then();
  return {
    advance: (byte) => (byte === bytes[at] ? from(bytes, at + 1, then) : undefined),
    canEnd: false,
    mustEnd: false,
    completion: () => concatBytes(bytes.subarray(at), then().completion()),
    free: false,
    says: (byte) => ({ channel: 'none', byte }),
    held: 0,
    tool: undefined,
  };
}

/** Any text. */
export const anyText: Guide = {
  advance: () => anyText,
  canEnd: true,
  mustEnd: false,
  completion: () => noBytes,
  free: true,
  says: (byte) => ({ channel: 'text', byte }),
  held: 0,
  tool: undefined,
};

/** Alternatives, at least one. The first that accepts a byte determines its kind. */
export function oneOf(guides: readonly Guide[]): Guide {
  const [only] = guides;
  if (only && guides.length === 1) return only;
  return {
    advance: (byte) => {
      const left = guides.map((guide) => guide.advance(byte)).filter((guide) => guide !== undefined);
      return left.length === 0 ? undefined : oneOf(left);
    },
    canEnd: guides.some(({ canEnd }) => canEnd),
    mustEnd: guides.every(({ mustEnd }) => mustEnd),
    completion: () =>
      guides.map((guide) => guide.completion()).reduce((best, other) => (other.length < best.length ? other : best)),
    free: guides.some(({ free }) => free),
    says: (byte) => guides.find((guide) => guide.advance(byte))?.says(byte) ?? { channel: 'none', byte },
    held: 0,
    tool: only?.tool,
  };
}

/** Any text up to a mark that starts something else; without `then`, any text that does not contain the mark. */
export function textUntil(mark: string, then?: () => Guide): Guide {
  const bytes = encoder.encode(mark);
  const failure = failures(bytes);
  const states = new Map<number, Guide>();
  const at = (matched: number): Guide => {
    const known = states.get(matched);
    if (known) return known;
    const isLast = (byte: number): boolean => matched === bytes.length - 1 && byte === bytes[matched];
    const made: Guide = {
      advance: (byte) => {
        if (isLast(byte)) return then?.();
        let next = matched;
        while (next > 0 && bytes[next] !== byte) next = failure[next - 1] ?? 0;
        return at(bytes[next] === byte ? next + 1 : next);
      },
      canEnd: true,
      mustEnd: false,
      completion: () => noBytes,
      free: true,
      says: (byte) => ({ channel: isLast(byte) ? 'mark' : 'text', byte }),
      held: then ? matched : 0,
      tool: undefined,
    };
    states.set(matched, made);
    return made;
  };
  return at(0);
}

/** For each prefix, the length of its longest proper prefix that is also its suffix (Knuth, Morris and Pratt). */
function failures(bytes: Uint8Array): Uint32Array {
  const table = new Uint32Array(bytes.length);
  let length = 0;
  for (let i = 1; i < bytes.length; i++) {
    while (length > 0 && bytes[i] !== bytes[length]) length = table[length - 1] ?? 0;
    if (bytes[i] === bytes[length]) length++;
    table[i] = length;
  }
  return table;
}

export function concatBytes(first: Uint8Array, second: Uint8Array): Uint8Array {
  if (second.length === 0) return first;
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

/** The guide after all these bytes, or undefined. */
export function advanceGuide(guide: Guide, bytes: Uint8Array): Guide | undefined {
  let at: Guide | undefined = guide;
  for (let i = 0; i < bytes.length && at !== undefined; i++) at = at.advance(bytes[i] ?? 0);
  return at;
}
