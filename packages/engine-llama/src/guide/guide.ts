import { failureTable } from '@modelwire/adapter-kit/internal';

/**
 * What a byte of a reply belongs to: text, the input of a tool call, or syntax that is not returned (`none`). A `delimiter` byte completes a
 * delimiter: it and the `heldBytes` bytes of text before it are syntax.
 */
export type Channel = 'text' | 'input' | 'none' | 'delimiter';

/** A tool that can be called. */
export interface Callable {
  readonly kind: 'function' | 'custom';
  readonly name: string;
}

/** The state of a constrained reply after some bytes. Guides are immutable, like the grammar states that they contain, and can always reach an end. */
export interface Guide {
  /** The guide after one more byte; undefined if the byte is not allowed. */
  advance(byte: number): Guide | undefined;
  /** Whether the reply can end here. */
  readonly canEnd: boolean;
  /** Whether the reply must end here. */
  readonly mustEnd: boolean;
  /** The bytes of a short completion. */
  completion(): Uint8Array;
  /** Whether almost any byte is allowed, so that tokens are checked after sampling instead of before. */
  readonly isUnrestricted: boolean;
  /** The channel and the output value of an allowed byte. */
  outputOf(byte: number): { readonly channel: Channel; readonly byte: number };
  /** The number of bytes at the end of the text that can be the start of a delimiter. */
  readonly heldBytes: number;
  /** The tool whose input is being generated. */
  readonly tool: Callable | undefined;
  /** Whether the output is hidden reasoning. Default false. */
  readonly isHidden?: boolean;
}

export const noBytes: Uint8Array = new Uint8Array();
const encoder = new TextEncoder();

/** The end of the reply. */
export const endGuide: Guide = {
  advance: () => undefined,
  canEnd: true,
  mustEnd: true,
  completion: () => noBytes,
  isUnrestricted: false,
  outputOf: (byte) => ({ channel: 'none', byte }),
  heldBytes: 0,
  tool: undefined,
};

/** Exactly this text as syntax, followed by another guide. */
export function literal(text: string, followUp: () => Guide): Guide {
  return from(encoder.encode(text), 0, followUp);
}

function from(bytes: Uint8Array, at: number, followUp: () => Guide): Guide {
  if (at >= bytes.length) return followUp();
  return {
    advance: (byte) => (byte === bytes[at] ? from(bytes, at + 1, followUp) : undefined),
    canEnd: false,
    mustEnd: false,
    completion: () => concatBytes(bytes.subarray(at), followUp().completion()),
    isUnrestricted: false,
    outputOf: (byte) => ({ channel: 'none', byte }),
    heldBytes: 0,
    tool: undefined,
  };
}

/** Any text. */
export const anyText: Guide = {
  advance: () => anyText,
  canEnd: true,
  mustEnd: false,
  completion: () => noBytes,
  isUnrestricted: true,
  outputOf: (byte) => ({ channel: 'text', byte }),
  heldBytes: 0,
  tool: undefined,
};

/** At least one alternative. The first one that accepts a byte determines its channel. */
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
    isUnrestricted: guides.some(({ isUnrestricted }) => isUnrestricted),
    outputOf: (byte) => guides.find((guide) => guide.advance(byte))?.outputOf(byte) ?? { channel: 'none', byte },
    heldBytes: 0,
    tool: only?.tool,
  };
}

/** Any text up to a delimiter, followed by another guide; without `followUp`, any text that does not contain the delimiter. */
export function textUntil(delimiter: string, followUp?: () => Guide): Guide {
  const bytes = encoder.encode(delimiter);
  const failure = failureTable(bytes);
  const states = new Map<number, Guide>();
  const at = (matched: number): Guide => {
    const known = states.get(matched);
    if (known) return known;
    const isLast = (byte: number): boolean => matched === bytes.length - 1 && byte === bytes[matched];
    const made: Guide = {
      advance: (byte) => {
        if (isLast(byte)) return followUp?.();
        let next = matched;
        while (next > 0 && bytes[next] !== byte) next = failure[next - 1] ?? 0;
        return at(bytes[next] === byte ? next + 1 : next);
      },
      canEnd: true,
      mustEnd: false,
      completion: () => noBytes,
      isUnrestricted: true,
      outputOf: (byte) => ({ channel: isLast(byte) ? 'delimiter' : 'text', byte }),
      heldBytes: followUp ? matched : 0,
      tool: undefined,
    };
    states.set(matched, made);
    return made;
  };
  return at(0);
}

export function concatBytes(first: Uint8Array, second: Uint8Array): Uint8Array {
  if (second.length === 0) return first;
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

/** The guide after several bytes; undefined if they are not allowed. */
export function advanceGuide(guide: Guide, bytes: Uint8Array): Guide | undefined {
  let at: Guide | undefined = guide;
  for (let i = 0; i < bytes.length && at !== undefined; i++) at = at.advance(bytes[i] ?? 0);
  return at;
}
