import { createModerations } from '@modelwire/moderations';
import type { ModerationCreateParams, ModerationResult } from '@modelwire/moderations';
import { moderationSchema } from '@modelwire/schema';
import { moderationCategories, RequestError } from '@modelwire/ports';
import type { ModerationEngine, ModerationInput, ModerationPart, ModerationVerdict } from '@modelwire/ports';
import { checked } from './checked.ts';
import { clientFailure } from './client-failure.ts';
import { secretsOf } from './secrets.ts';

export interface UpstreamModerationOptions {
  /** Names the engine in logs, and is the `owned_by` of its models. Default: `upstream`. */
  readonly name?: string;
  /** With the version prefix, for instance `https://api.example.com/v1`. */
  readonly baseURL: string;
  /** Sent as `Authorization: Bearer …`. Never in an error or a log. */
  readonly apiKey?: string;
  /** Ids that callers use, and their names there. Default: `omni-moderation-latest` and `omni-moderation-2024-09-26` under their own names. */
  readonly models?: Readonly<Record<string, string>>;
  /** What it looks at. Default: texts and images. */
  readonly inputs?: readonly ('text' | 'image')[];
  /** Milliseconds for one request with its retries. Default 60,000. */
  readonly timeoutMs?: number;
}

const usual = {
  'omni-moderation-latest': 'omni-moderation-latest',
  'omni-moderation-2024-09-26': 'omni-moderation-2024-09-26',
};

/** The moderation models of any server that has `/moderations`. @throws a `TypeError` that names the option. */
export function createUpstreamModeration(options: UpstreamModerationOptions): ModerationEngine {
  checked.object('options', options, ['name', 'baseURL', 'apiKey', 'models', 'inputs', 'timeoutMs']);
  checked.url('baseURL', options.baseURL);
  const {
    name = 'upstream',
    baseURL,
    apiKey,
    models: named = usual,
    inputs = ['text', 'image'],
    timeoutMs = 60_000,
  } = options;
  const names = new Map(Object.entries(named));
  const created = Math.floor(Date.now() / 1000);
  const models = Object.freeze([...names.keys()].map((id) => ({ id, created, owned_by: name, inputs })));
  const secrets = secretsOf(apiKey === undefined ? [] : ['authorization', `Bearer ${apiKey}`]);
  const client = createModerations({ baseURL, apiKey, timeouts: { total: timeoutMs } });

  async function results(model: string, input: ModerationCreateParams['input'], signal: AbortSignal) {
    try {
      // The other server's names are its own.
      const params = { input, model: names.get(model) ?? model } as ModerationCreateParams;
      const parsed = moderationSchema.safeParse(await client.create(params, { signal }));
      if (parsed.success) return parsed.data.results as readonly ModerationResult[];
    } catch (error) {
      signal.throwIfAborted();
      throw clientFailure(error, { model, server: name, secrets });
    }
    throw malformed(name);
  }

  return {
    name,
    models: () => models,
    async moderate({ model, inputs: asked }, { signal }) {
      const texts = asked.map(onlyText);
      // Texts go together; parts are one input of a request of their own.
      const answered = texts.every((text) => text !== undefined)
        ? await results(model, texts.length === 1 ? (texts[0] ?? '') : texts, signal)
        : (await Promise.all(asked.map((input) => results(model, input.map(wirePart), signal)))).flat();
      if (answered.length !== asked.length) throw malformed(name);
      return answered.map(verdictOf);
    },
  };
}

function onlyText(input: ModerationInput): string | undefined {
  const [part] = input;
  return input.length === 1 && part?.type === 'text' ? part.text : undefined;
}

function wirePart(part: ModerationPart) {
  if (part.type === 'text') return part;
  const url = `data:${part.mediaType};base64,${Buffer.from(part.bytes).toString('base64')}`;
  return { type: 'image_url' as const, image_url: { url } };
}

function verdictOf({
  categories,
  category_scores: scores,
  category_applied_input_types: applied,
}: ModerationResult): ModerationVerdict {
  const verdict: Record<string, NonNullable<ModerationVerdict[keyof ModerationVerdict]>> = {};
  for (const name of moderationCategories) {
    const flagged = categories[name];
    if (flagged === undefined) continue;
    const score = Math.min(1, Math.max(0, scores[name] ?? 0));
    const types = applied?.[name] ?? ['text'];
    verdict[name] = { flagged, score, appliedTo: types.filter(isInputType) };
  }
  return verdict;
}

const isInputType = (type: string): type is 'text' | 'image' => type === 'text' || type === 'image';

function malformed(server: string): RequestError {
  const message = "The model's server sent no valid moderation.";
  return new RequestError(message, {
    status: 502,
    type: 'server_error',
    code: 'upstream_malformed',
    cause: new Error(server),
  });
}
