import type { CompletionUsage, EmbeddingList } from '@modelwire/schema/types';
import type { EmbeddingInput, EmbeddingModel } from '@modelwire/ports';
import { admit, runAdmitted } from '../../admission/admit.ts';
import { estimateTextTokens } from '../../admission/prompt-tokens.ts';
import { Accountant } from '../../admission/accountant.ts';
import { notInspected } from '../../admission/work.ts';
import { reportUpstreamTo } from '../../call.ts';
import { unsupported, unsupportedValue } from '../../errors.ts';
import { promptsOf } from '../../generation/text-or-tokens.ts';
import { requireModelOfWork } from '../../generation/require-model.ts';
import { boundUsage, maxTokensOfText } from '../../limits/bound-usage.ts';
import { serializeEmbeddings, checkedVectors } from './vectors.ts';
import type { Handlers } from '../../http/implement.ts';

const advice = '(the tokens of all inputs). Send fewer inputs in each request.';

/** POST /embeddings */
export const createEmbedding: Handlers['embeddings.create'] = async (call, server) => {
  const { input, model: id, dimensions, encoding_format = 'float', user, ...extra } = call.body;
  const admission = await admit(call, server, {
    isStored: false,
    find: () => requireModelOfWork('embedding', id, server),
    load({ resolved }) {
      const inputs = promptsOf(input);
      assertSupported(inputs, dimensions, resolved.model);
      call.logRecord.safetyIdentifier = user?.slice(0, 128);
      const estimate = (): number => inputs.reduce((sum, each) => sum + estimateTokens(each), 0);
      const usage = new Accountant(
        () => ({ tokens: estimate(), isEstimated: true }),
        (reported) => boundUsage(reported, { maxPromptTokens: maxTokensOf(inputs), maxCompletionTokens: 0 }),
      );
      return {
        demand: {
          kind: 'tokens',
          estimate: () => ({ prompt: estimate(), requiredOutput: 0, maxOutput: 0, outputToAdmit: 0 }),
          advice,
        },
        usage,
        resolved,
        inputs,
      };
    },
    inspect: notInspected,
    slot: ({ resolved: { engine, model } }) => ({
      queue: server.queues.get(engine),
      engine,
      tier: call.tier ?? server.options.defaultServiceTier,
      observed: { operation: 'embeddings', model: model.id, isStreamed: false },
      outcome: () => ({ firstTokenAt: undefined, finishReasons: [] }),
    }),
  });
  return runAdmitted(admission, async ({ resolved: { engine, model }, inputs, usage }) => {
    const native = model.dimensions === 'emulated' ? undefined : dimensions;
    const { embeddings, promptTokens } = await engine.embed(
      { model: model.id, inputs, dimensions: native, encoding_format, user },
      {
        requestId: call.requestId,
        project: call.principal.project,
        extra,
        signal: call.client.signal,
        batchLine: call.batchLine,
        reportUpstream: reportUpstreamTo(call.logRecord),
        observer: admission.observation,
      },
    );
    usage.countPrompt();
    if (promptTokens !== undefined) {
      usage.report({ prompt_tokens: promptTokens, completion_tokens: 0, total_tokens: promptTokens });
    }
    call.client.signal.throwIfAborted();
    const vectors = checkedVectors(embeddings, { count: inputs.length, dimensions, model, engine: engine.name });
    const head = { object: 'list', model: id, usage: usageOf(usage.current) } as const;
    const { data, json } = await serializeEmbeddings(head, vectors, encoding_format);
    const body: EmbeddingList = { ...head, data };
    return { status: 200, body, json };
  });
};

const maxAddedTokensPerInput = 256;

/** The most tokens that the inputs can have. */
function maxTokensOf(inputs: readonly EmbeddingInput[]): number {
  return inputs.reduce((sum, input) => {
    const tokens = typeof input === 'string' ? maxTokensOfText(input) : input.length;
    // Instructions of a model precede each input.
    return sum + tokens + maxAddedTokensPerInput;
  }, 0);
}

const estimateTokens = (input: EmbeddingInput): number =>
  typeof input === 'string' ? estimateTextTokens(input) : input.length;

/** @throws a 400 that names what the model does not support. */
function assertSupported(
  inputs: readonly EmbeddingInput[],
  dimensions: number | undefined,
  model: EmbeddingModel,
): void {
  if (model.tokens === 'refused' && typeof inputs[0] !== 'string') {
    throw unsupportedValue(
      'input',
      `Unsupported value: 'input' must be text with the model '${model.id}', not token IDs, which belong to the vocabulary of another ` +
        'model. With LangChain, set check_embedding_ctx_length to False.',
    );
  }
  if (dimensions === undefined || dimensions === model.size) return;
  if (model.dimensions === 'refused') {
    const message = `Unsupported parameter: 'dimensions' is not supported with the model '${model.id}'.`;
    throw unsupported('dimensions', message);
  }
  if (model.size !== undefined && dimensions > model.size) {
    throw unsupportedValue(
      'dimensions',
      `Unsupported value: 'dimensions' is ${dimensions}, but embeddings of the model '${model.id}' have ${model.size}.`,
    );
  }
}

const usageOf = ({ prompt_tokens, total_tokens }: CompletionUsage) => ({ prompt_tokens, total_tokens });
