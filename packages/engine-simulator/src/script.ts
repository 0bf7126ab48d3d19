import type { Tokenizer } from './tokenizer.ts';

/** One piece of a reply, mostly a sentence: the ways to say it, the likeliest first. */
export type Segment = readonly string[];

/** A reply as it is planned: what is said at all, what at medium, and what at high verbosity only. */
export interface Line {
  readonly ways: Segment;
  /** 0: always; 1: medium and high; 2: high. */
  readonly detail: 0 | 1 | 2;
}

/** A way to say a segment, in tokens. */
export interface Way {
  readonly tokens: readonly number[];
  readonly weight: number;
}

/** A script in tokens: for each segment its ways. */
export type Script = readonly (readonly Way[])[];

/** The first way gets this share, the others the rest in even parts. */
const firstShare = 0.6;

export function tokenizeScript(segments: readonly Segment[], tokenizer: Tokenizer): Script {
  const said = segments.map((ways) => ways.filter((way) => way !== '')).filter((ways) => ways.length > 0);
  return withLineBreaksBehind(said).map((ways) =>
    ways.map((way, index) => ({
      tokens: tokenizer.encode(way),
      weight: ways.length === 1 ? 1 : index === 0 ? firstShare : (1 - firstShare) / (ways.length - 1),
    })),
  );
}

/**
 * Moves line breaks from the beginning of a segment to the end of the one before it: the tokenizer joins a full stop and the
 * breaks behind it, and a script has to be the tokens of its text.
 */
function withLineBreaksBehind(segments: readonly Segment[]): Segment[] {
  const out: Segment[] = [];
  for (const ways of segments) {
    const before = out.at(-1);
    const breaks = /^\n+/.exec(ways[0] ?? '')?.[0];
    if (before === undefined || breaks === undefined || !ways.every((way) => way.startsWith(breaks))) {
      out.push(ways);
      continue;
    }
    out[out.length - 1] = before.map((way) => way + breaks);
    out.push(ways.map((way) => way.slice(breaks.length)));
  }
  return out;
}
