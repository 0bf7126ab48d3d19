import type { VideoVariant } from '@modelwire/schema/types';

/** What a line of the program's output says. */
export interface Said {
  /** Per cent. */
  readonly progress?: number;
  /** Paths of outputs. */
  readonly outputs?: Readonly<Partial<Record<VideoVariant, string>>>;
}

/** Longer ones are passed over. */
const maxLine = 65_536;

/**
 * Reads one line: `{"progress": 42}`, `progress 42`, what `ffmpeg -progress` writes, or a JSON object that names outputs. Anything else
 * says nothing, so that a program may also write what it wants.
 */
export function saidIn(line: string, seconds: number): Said {
  const trimmed = line.trim();
  if (trimmed.startsWith('{')) return saidInJson(trimmed);
  const plain = /^progress[ \t:]+(\d+(?:\.\d+)?)[ \t]*%?$/i.exec(trimmed)?.[1];
  if (plain !== undefined) return { progress: within(Number(plain)) };
  // Both are microseconds: ffmpeg's `out_time_ms` is named wrongly.
  const micros = /^out_time_(?:us|ms)=(\d+)$/.exec(trimmed)?.[1];
  return micros === undefined ? {} : { progress: within((Number(micros) / 1e6 / seconds) * 100) };
}

function saidInJson(line: string): Said {
  let parsed: unknown;
  try {
    parsed = JSON.parse(line);
  } catch {
    return {};
  }
  if (typeof parsed !== 'object' || parsed === null) return {};
  const said = new Map<string, unknown>(Object.entries(parsed));
  const progress = said.get('progress');
  const outputs: Partial<Record<VideoVariant, string>> = {};
  for (const variant of ['video', 'thumbnail', 'spritesheet'] as const) {
    const path = said.get(variant);
    if (typeof path === 'string') outputs[variant] = path;
  }
  return {
    ...(typeof progress === 'number' && { progress: within(progress) }),
    ...(Object.keys(outputs).length > 0 && { outputs }),
  };
}

const within = (percent: number): number => Math.min(100, Math.max(0, percent));

/** Cuts text that comes in pieces into lines, and holds no more than one of bounded length. */
export function lines(tell: (line: string) => void): { add(text: string): void; end(): void } {
  let rest = '';
  let tooLong = false;
  const flush = (): void => {
    if (!tooLong && rest !== '') tell(rest);
    rest = '';
    tooLong = false;
  };
  return {
    add(text) {
      // A bar of progress on a terminal goes back with a carriage return.
      const pieces = text.split(/[\r\n]+/);
      for (const [index, piece] of pieces.entries()) {
        if (index > 0) flush();
        if (!tooLong && rest.length + piece.length <= maxLine) rest += piece;
        else {
          rest = '';
          tooLong = true;
        }
      }
    },
    end: flush,
  };
}
