import type { VideoVariant } from '@modelwire/schema/types';

/** What a line of the program's output reports. */
export interface ProgressReport {
  /** Percent. */
  readonly progress?: number;
  /** Paths of outputs. */
  readonly outputs?: Readonly<Partial<Record<VideoVariant, string>>>;
}

/** Longer lines are ignored. */
const maxLine = 65_536;

/**
 * Parses one line: `{"progress": 42}`, `progress 42`, the output of `ffmpeg -progress`, or a JSON object with outputs. Any other line is
 * ignored, so that programs can print anything.
 */
export function parseOutputLine(line: string, seconds: number): ProgressReport {
  const trimmed = line.trim();
  if (trimmed.startsWith('{')) return parseJsonLine(trimmed);
  const plain = /^progress[ \t:]+(\d+(?:\.\d+)?)[ \t]*%?$/i.exec(trimmed)?.[1];
  if (plain !== undefined) return { progress: within(Number(plain)) };
  // Both are microseconds: ffmpeg's `out_time_ms` is named wrongly.
  const micros = /^out_time_(?:us|ms)=(\d+)$/.exec(trimmed)?.[1];
  return micros === undefined ? {} : { progress: within((Number(micros) / 1e6 / seconds) * 100) };
}

function parseJsonLine(line: string): ProgressReport {
  let parsed: unknown;
  try {
    parsed = JSON.parse(line);
  } catch {
    return {};
  }
  if (typeof parsed !== 'object' || parsed === null) return {};
  const fields = new Map<string, unknown>(Object.entries(parsed));
  const progress = fields.get('progress');
  const outputs: Partial<Record<VideoVariant, string>> = {};
  for (const variant of ['video', 'thumbnail', 'spritesheet'] as const) {
    const path = fields.get(variant);
    if (typeof path === 'string') outputs[variant] = path;
  }
  return {
    ...(typeof progress === 'number' && { progress: within(progress) }),
    ...(Object.keys(outputs).length > 0 && { outputs }),
  };
}

const within = (percent: number): number => Math.min(100, Math.max(0, percent));

/** Splits streamed text into lines. Buffers at most one line of bounded length. */
export function lines(onLine: (line: string) => void): { add(text: string): void; end(): void } {
  let rest = '';
  let tooLong = false;
  const flush = (): void => {
    if (!tooLong && rest !== '') onLine(rest);
    rest = '';
    tooLong = false;
  };
  return {
    add(text) {
      // Progress bars on terminals use carriage returns.
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
