/** What `createCommandVideos` takes. */
export interface CommandVideosOptions {
  /** The program: a path, or a name that is looked up in `PATH`. */
  readonly command: string;
  /** Its arguments, to the letter. Nothing of a job is ever among them. */
  readonly args?: readonly string[];
  /** Ids that callers use, and what each can do. */
  readonly models: Readonly<Record<string, CommandVideoModel>>;
  /** Names the engine in logs, and is the `owned_by` of its models. Default: `command`. */
  readonly name?: string;
  /** Milliseconds that it may run for one video. Default 600,000. */
  readonly timeoutMs?: number;
  /** Bytes of all files in the output folder together. Default 512 MiB. */
  readonly maxOutputBytes?: number;
  /** Bytes of data that each of its processes may have, held by `prlimit` (Linux). Default: no limit. */
  readonly memoryBytes?: number;
  /** Maximum number of concurrent videos. Default 1. */
  readonly concurrency?: number;
  /** Environment variables beside `PATH`, `HOME` and `LANG` of this process, and `TMPDIR`. They win over these. */
  readonly env?: Readonly<Record<string, string>>;
  /** The folder that private folders are made in. Default: the system's for temporary files. */
  readonly tempFolder?: string;
  /** Called with each failed run, for the log of the operator. Clients never see these details. */
  readonly report?: (failure: CommandFailure) => void;
}

export interface CommandVideoModel {
  /** `<width>x<height>`, the default first. Default: all that the API has. */
  readonly sizes?: readonly string[];
  /** The default first. Default: `4`, `8`, `12`. */
  readonly seconds?: readonly string[];
  /** Maximum length of a video with its extensions. Default: unlimited. */
  readonly maxSeconds?: number;
  /** Whether it takes an image to start from. Default true. */
  readonly inputReference?: boolean;
  /** Whether it can start from the video of `source`. Default true. */
  readonly remix?: boolean;
  /** Whether it can continue the video of `source`, and returns both as one video. Default false. */
  readonly extend?: boolean;
}

export interface CommandFailure {
  readonly videoId: string;
  /** `error.code` of the video. */
  readonly code: string;
  /** Null when a signal ended it, or it never ran. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** The end of what it wrote to stderr, at most 16 KiB. */
  readonly stderr: string;
}

type ResolvedModel = Required<Omit<CommandVideoModel, 'maxSeconds'>> & Pick<CommandVideoModel, 'maxSeconds'>;

/** The options in full. Nothing deeper reads a default. */
export type Settings = Required<Omit<CommandVideosOptions, 'memoryBytes' | 'models' | 'tempFolder'>> & {
  readonly models: Readonly<Record<string, ResolvedModel>>;
  readonly memoryBytes: number | undefined;
  readonly tempFolder: string | undefined;
};

const known: readonly string[] = [
  'command',
  'args',
  'models',
  'name',
  'timeoutMs',
  'maxOutputBytes',
  'memoryBytes',
  'concurrency',
  'env',
  'tempFolder',
  'report',
] satisfies readonly (keyof CommandVideosOptions)[];

/** The one door for options. @throws a `TypeError` that names the option. */
export function settingsOf(options: CommandVideosOptions): Settings {
  for (const name of Object.keys(options)) if (!known.includes(name)) fail(name, 'is not a known option');
  const { args = [], env = {}, memoryBytes } = options;
  if (!Array.isArray(args)) fail('args', 'must be an array of strings');
  return Object.freeze({
    command: argument('command', options.command),
    args: args.map((one, index) => argument(`args[${index}]`, one)),
    models: modelsOf(options.models),
    name: argument('name', options.name ?? 'command'),
    timeoutMs: whole('timeoutMs', options.timeoutMs ?? 600_000, 2 ** 31 - 1),
    maxOutputBytes: whole('maxOutputBytes', options.maxOutputBytes ?? 512 * 1024 ** 2),
    memoryBytes: memoryBytes === undefined ? undefined : whole('memoryBytes', memoryBytes),
    concurrency: whole('concurrency', options.concurrency ?? 1),
    env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, argument(`env.${name}`, value, true)])),
    tempFolder: options.tempFolder,
    report: options.report ?? (() => undefined),
  });
}

const sizes = ['720x1280', '1280x720', '1024x1792', '1792x1024'];
const seconds = ['4', '8', '12'];

function modelsOf(given: CommandVideosOptions['models']): Settings['models'] {
  const models = Object.entries(given);
  if (models.length === 0) fail('models', 'must name at least one model');
  return Object.fromEntries(
    models.map(([id, model]) => {
      const full = { sizes, seconds, inputReference: true, remix: true, extend: false, ...model };
      if (!full.sizes.every((size) => /^[1-9]\d*x[1-9]\d*$/.test(size)) || full.sizes.length === 0) {
        fail(`models['${id}'].sizes`, "must be a non-empty array such as ['720x1280']");
      }
      if (!full.seconds.every((length) => /^[1-9]\d*$/.test(length)) || full.seconds.length === 0) {
        fail(`models['${id}'].seconds`, "must be a non-empty array such as ['4']");
      }
      const maxSeconds =
        full.maxSeconds === undefined ? Infinity : whole(`models['${id}'].maxSeconds`, full.maxSeconds);
      const longer = full.seconds.find((length) => Number(length) > maxSeconds);
      if (longer !== undefined)
        fail(`models['${id}'].seconds`, `has '${longer}', which is more than maxSeconds (${maxSeconds})`);
      return [id, full];
    }),
  );
}

function argument(option: string, value: unknown, mayBeEmpty = option.startsWith('args')): string {
  if (typeof value === 'string' && (mayBeEmpty || value !== '') && !value.includes('\0')) return value;
  return fail(option, 'must be a string without NUL');
}

function whole(option: string, value: unknown, most = Number.MAX_SAFE_INTEGER): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= most) return value;
  return fail(option, 'must be an integer of at least 1');
}

function fail(option: string, why: string): never {
  throw new TypeError(`createCommandVideos: '${option}' ${why}.`);
}
