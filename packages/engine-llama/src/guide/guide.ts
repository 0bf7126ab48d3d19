/**
 * What bytes of a reply become: words, the input of a tool that is called, or syntax that nobody sees. `mark` ends a mark: it and the `held`
 * bytes of text before it were none.
 */
export type Channel = 'text' | 'input' | 'none' | 'mark';

/** A tool that may be called. */
export interface Callable {
  readonly kind: 'function' | 'custom';
  readonly name: string;
}

/**
 * Where a reply has come to in what it may be, byte by byte. Guides never change, like the states of grammars that some are made of,
 * and each can reach an end.
 */
export interface Guide {
  /** After one more byte; undefined where it may not come. */
  advance(byte: number): Guide | undefined;
  /** Whether the reply may end here. */
  readonly canEnd: boolean;
  /** Whether nothing can follow. */
  readonly mustEnd: boolean;
  /** The bytes of a short way to the end. */
  completion(): Uint8Array;
  /** Almost any byte may come: tokens are tried after they were drawn, not before. */
  readonly free: boolean;
  /** Where that byte, which may come, belongs, and as which byte. */
  says(byte: number): { readonly channel: Channel; readonly byte: number };
  /** How many of the last bytes of text may yet turn out to be the beginning of a call. */
  readonly held: number;
  /** The tool whose input is being written. */
  readonly tool: Callable | undefined;
  /** What comes is thought, and not said. */
  readonly hidden?: boolean;
}

export const noBytes: Uint8Array = new Uint8Array();
const encoder = new TextEncoder();

/** Nothing more. */
export const end: Guide = {
  advance: () => undefined,
  canEnd: true,
  mustEnd: true,
  completion: () => noBytes,
  free: false,
  says: (byte) => ({ channel: 'none', byte }),
  held: 0,
  tool: undefined,
};

/** Exactly this text, as syntax, then the other. */
export function literal(text: string, then: () => Guide): Guide {
  return from(encoder.encode(text), 0, then);
}

function from(bytes: Uint8Array, at: number, then: () => Guide): Guide {
  if (at >= bytes.length) return then();
  return {
    advance: (byte) => (byte === bytes[at] ? from(bytes, at + 1, then) : undefined),
    canEnd: false,
    mustEnd: false,
    completion: () => joined(bytes.subarray(at), then().completion()),
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

/** Any of them, at least one. What of a byte becomes is told by the first that takes it. */
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

/** Any text, up to a mark that begins something else; without that, any text that does not hold the mark. */
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

export function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  if (second.length === 0) return first;
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

/** After all these bytes, any of which may be refused. */
export function after(guide: Guide, bytes: Uint8Array): Guide | undefined {
  let at: Guide | undefined = guide;
  for (let i = 0; i < bytes.length && at !== undefined; i++) at = at.advance(bytes[i] ?? 0);
  return at;
}
