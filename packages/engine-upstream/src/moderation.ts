import type { ModerationResult } from '@modelwire/moderations';
import { moderationSchema } from '@modelwire/schema/internal';
import { moderationCategories } from '@modelwire/ports';
import type {
  ModerationContext,
  ModerationEngine,
  ModerationInput,
  ModerationPart,
  ModerationVerdict,
} from '@modelwire/ports';
import { requestUpstream } from './attempts/attempts.ts';
import { optionChecks } from './presets/option-checks.ts';
import type { CircuitBreakerOptions, CircuitBreakers } from './attempts/circuit-breakers.ts';
import { connectServer } from './connect.ts';
import { resolveCircuitBreakers, resolveServers } from './presets/settings.ts';
import { readCompleteBody } from './replies/complete-body.ts';

export interface UpstreamModerationOptions {
  /** Name of the engine in logs, and `owned_by` of its models. Default: `upstream`. */
  readonly name?: string;
  /** With the version prefix, for instance `https://api.example.com/v1`. */
  readonly baseURL: string;
  /** Sent as `Authorization: Bearer …`. Never in an error or a log. */
  readonly apiKey?: string;
  /** Ids that clients use, and their names there. Default: `omni-moderation-latest` and `omni-moderation-2024-09-26` under their own names. */
  readonly models?: Readonly<Record<string, string>>;
  /** Types of input. Default: text and images. */
  readonly inputs?: readonly ('text' | 'image')[];
  /** Timeout of a request in milliseconds; it is not retried. Default 60,000. */
  readonly timeoutMs?: number;
  /** When the upstream is paused for a model: options, or circuit breakers that are shared with other engines. */
  readonly circuitBreaker?: CircuitBreakerOptions | CircuitBreakers;
}

/** Further attempts after the first. */
const maxRetries = 2;

const defaultModels = {
  'omni-moderation-latest': 'omni-moderation-latest',
  'omni-moderation-2024-09-26': 'omni-moderation-2024-09-26',
};

/**
 * The moderation models of any server with `/moderations`. Retries, error messages and circuit breakers work as for chat.
 *
 * @throws a `TypeError` that names the option.
 */
export function createUpstreamModeration(options: UpstreamModerationOptions): ModerationEngine {
  const optionNames = ['name', 'baseURL', 'apiKey', 'models', 'inputs', 'timeoutMs', 'circuitBreaker'];
  optionChecks.object('options', options, optionNames);
  optionChecks.url('baseURL', options.baseURL);
  const {
    name = 'upstream',
    baseURL,
    apiKey,
    models: modelNames = defaultModels,
    inputs = ['text', 'image'],
  } = options;
  const firstByte = optionChecks.integer('timeoutMs', options.timeoutMs ?? 60_000, 1);
  const names = new Map(Object.entries(modelNames));
  const created = Math.floor(Date.now() / 1000);
  const models = Object.freeze([...names.keys()].map((id) => ({ id, created, owned_by: name, inputs })));
  const circuitBreakers = resolveCircuitBreakers(options.circuitBreaker);
  const [server] = resolveServers([
    { name, baseURL, ...(apiKey !== undefined && { apiKey }), timeouts: { firstByte } },
  ]).map(connectServer);
  if (!server) throw new Error('resolveServers returns one server for each upstream');
  const { dispatcher } = server;
  const createTarget = (upstreamModel: string) => ({
    server,
    upstreamModel,
    breaker: circuitBreakers.get(name, upstreamModel),
  });

  async function requestResults(
    publicId: string,
    input: unknown,
    count: number,
    context: ModerationContext,
  ): Promise<readonly ModerationResult[]> {
    const { requestId, observer, signal } = context;
    const onUpstream = context.reportUpstream?.bind(context);
    const call = {
      targets: [createTarget(names.get(publicId) ?? publicId)],
      path: '/moderations',
      accept: 'application/json',
      publicId,
      requestId,
      signal,
      retries: maxRetries,
      onUpstream,
      observer,
      body: (model: string) => JSON.stringify({ model, input }),
    } as const;
    const parse = (value: unknown): readonly ModerationResult[] | undefined => {
      const parsed = moderationSchema.safeParse(value);
      return parsed.success && parsed.data.results.length === count ? parsed.data.results : undefined;
    };
    return requestUpstream(call, (reply) => readCompleteBody(reply, parse, 'not one moderation result for each input'));
  }

  return {
    name,
    models: () => models,
    async moderate({ model, inputs: items }, context) {
      const texts = items.map(singleText);
      // All texts are sent in one request; each input with parts is sent in a separate one.
      const results = texts.every((text) => text !== undefined)
        ? await requestResults(model, texts.length === 1 ? texts[0] : texts, texts.length, context)
        : (await Promise.all(items.map((input) => requestResults(model, input.map(toContentPart), 1, context)))).flat();
      return results.map(toVerdict);
    },
    close: () => dispatcher.close(),
  };
}

function singleText(input: ModerationInput): string | undefined {
  const [part] = input;
  return input.length === 1 && part?.type === 'text' ? part.text : undefined;
}

function toContentPart(part: ModerationPart) {
  if (part.type === 'text') return part;
  const url = `data:${part.mediaType};base64,${Buffer.from(part.bytes).toString('base64')}`;
  return { type: 'image_url' as const, image_url: { url } };
}

function toVerdict({
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
