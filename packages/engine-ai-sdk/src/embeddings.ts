import { RequestError, modelNotFound, unsupported } from '@modelwire/ports';
import type {
  EmbeddingContext,
  EmbeddingEngine,
  EmbeddingModel,
  EmbeddingReply,
  EmbeddingRequest,
} from '@modelwire/ports';
import type { EmbeddingModelV4Result } from '@ai-sdk/provider';
import type { AiSdkEmbeddingModelOptions, AiSdkEmbeddingsOptions } from './embedding-options.ts';
import { requestFailure } from './failures.ts';
import { providerName } from './provider-profile.ts';
import { requireModel } from './require-model.ts';

/** Calls of one request that run at once, where the provider supports parallel calls. */
const parallelCalls = 4;

interface ConfiguredEmbeddingModel {
  readonly listed: EmbeddingModel;
  readonly options: AiSdkEmbeddingModelOptions;
}

/**
 * An embedding engine over models of the Vercel AI SDK. A request with more inputs than the provider takes at once becomes several calls.
 *
 * Failures are `RequestError`s with the provider's reason, as those of `createAiSdk`. Inputs are texts: token IDs get a 400.
 *
 * @throws TypeError that names the option.
 */
export function createAiSdkEmbeddings(options: AiSdkEmbeddingsOptions): EmbeddingEngine {
  const configured = configuredModels(options, Math.floor(Date.now() / 1000));
  const listedModels = Object.freeze([...configured.values()].map(({ listed }) => listed));
  const secrets = (options.secrets ?? []).flatMap((secret) => secret || []);

  async function embed(request: EmbeddingRequest, context: EmbeddingContext): Promise<EmbeddingReply> {
    const model = configured.get(request.model);
    if (!model) throw modelNotFound(request.model);
    const [unknownField] = Object.keys(context.extra);
    if (unknownField !== undefined) {
      throw unsupported(
        unknownField,
        `Unsupported parameter: the model '${request.model}' takes no '${unknownField}'.`,
      );
    }
    try {
      const results = await callProvider(model, request, context.signal);
      return embeddingReply(results, request, options);
    } catch (error) {
      if (context.signal.aborted) throw error;
      throw requestFailure(error, { model: request.model, provider: model.options.model.provider, secrets });
    }
  }

  return { name: options.name ?? 'ai-sdk', isRemote: true, models: () => listedModels, embed };
}

function configuredModels(
  { models }: AiSdkEmbeddingsOptions,
  now: number,
): ReadonlyMap<string, ConfiguredEmbeddingModel> {
  const unchecked: unknown = models;
  if (!Array.isArray(unchecked) || unchecked.length === 0) {
    throw new TypeError('createAiSdkEmbeddings: models must be a non-empty array of models.');
  }
  const configured = new Map<string, ConfiguredEmbeddingModel>();
  for (const [index, options] of models.entries()) {
    const path = `createAiSdkEmbeddings: models[${index}]`;
    const { model, size, dimensions = 'native' } = options;
    requireModel(model, `${path}.model`, "google.embeddingModel('gemini-embedding-001')");
    const { id = model.modelId, created = now, owned_by = providerName(model.provider) } = options;
    if (configured.has(id)) throw new TypeError(`${path}.id '${id}' is used twice.`);
    const listed = Object.freeze({ id, created, owned_by, size, dimensions, tokens: 'refused' as const });
    configured.set(id, { listed, options });
  }
  return configured;
}

/** The results of all calls, in the order of the inputs. */
async function callProvider(
  { options: { model, providerOptions } }: ConfiguredEmbeddingModel,
  { inputs, dimensions }: EmbeddingRequest,
  abortSignal: AbortSignal,
): Promise<readonly EmbeddingModelV4Result[]> {
  const texts = inputs.map((input) => {
    if (typeof input === 'string') return input;
    throw unsupported('input', "Unsupported value: 'input' must be text with this model, not token IDs.");
  });
  const perCall = (await model.maxEmbeddingsPerCall) ?? texts.length;
  const concurrency = (await model.supportsParallelCalls) ? parallelCalls : 1;
  const calls = chunksOf(texts, perCall);
  const results: EmbeddingModelV4Result[] = [];
  for (const chunk of chunksOf(calls, concurrency)) {
    const call = (values: string[]): PromiseLike<EmbeddingModelV4Result> =>
      model.doEmbed({
        values,
        abortSignal,
        ...(dimensions !== undefined && { dimensions }),
        ...(providerOptions && { providerOptions }),
      });
    results.push(...(await Promise.all(chunk.map(call))));
  }
  return results;
}

function chunksOf<Item>(items: readonly Item[], size: number): Item[][] {
  const chunks: Item[][] = [];
  for (let start = 0; start < items.length; start += size) chunks.push(items.slice(start, start + size));
  return chunks;
}

function embeddingReply(
  results: readonly EmbeddingModelV4Result[],
  { model, inputs, dimensions }: EmbeddingRequest,
  { onWarning }: AiSdkEmbeddingsOptions,
): EmbeddingReply {
  for (const warning of results.flatMap(({ warnings }) => warnings)) {
    if (warning.type === 'unsupported') throw ignoredParameter(model, warning.feature, warning.details);
    onWarning?.(model, warning);
  }
  const embeddings = results.flatMap((result) => result.embeddings);
  if (embeddings.length !== inputs.length) {
    const message = `The provider sent ${embeddings.length} embeddings for ${inputs.length} inputs.`;
    throw new RequestError(message, { status: 502, code: 'upstream_malformed' });
  }
  // Some provider packages drop the parameter without a warning.
  if (dimensions !== undefined && embeddings.some(({ length }) => length !== dimensions)) {
    throw ignoredParameter(model, 'dimensions', undefined);
  }
  const tokens = results.map(({ usage }) => usage?.tokens);
  const promptTokens = tokens.reduce(
    (sum, count) => (sum === undefined || count === undefined ? undefined : sum + count),
    0,
  );
  return { embeddings, promptTokens };
}

function ignoredParameter(model: string, feature: string, details: string | undefined): RequestError {
  const param = /dimension/i.test(feature) ? 'dimensions' : null;
  const what = param === null ? feature : `'${param}'`;
  const why = details === undefined ? '' : `: ${details}`;
  const message = `Unsupported parameter: ${what} is not supported with the model '${model}'${why}.`;
  return new RequestError(message, { status: 400, code: 'unsupported_parameter', param });
}
