import type { ChatModel } from '@modelwire/ports';
import type { ChatCompletionCreateParams } from '@modelwire/schema/types';
import { admit } from '../admission/admit.ts';
import { promptTokens } from '../admission/prompt-tokens.ts';
import type { PromptTokens } from '../admission/prompt-tokens.ts';
import { Accountant } from '../admission/accountant.ts';
import { tokenEstimate } from '../admission/work.ts';
import type { Access, FoundModel, LoadedWork, Slot, TokenEstimate, Work } from '../admission/work.ts';
import type { Call } from '../call.ts';
import { nowInSeconds } from '../clock.ts';
import type { ServerContext } from '../context.ts';
import { withOutputLimit } from '../limits/policies.ts';
import { resolveServiceTier } from '../limits/tiered-queue.ts';
import type { ResolvedChatModel } from '../models/model-registry.ts';
import type { CompletionMetadata } from '../streaming/chunk-writer.ts';
import { checkModeratedImages, moderateInput } from '../streaming/transforms/moderation.ts';
import type { Moderator } from '../streaming/transforms/moderator.ts';
import { assertModeratorAllowed, moderatorsOf } from './moderators.ts';
import { unsupportedValue } from '../errors.ts';
import type { RequestError } from '../errors.ts';
import { assertSpeechSupported, assertSupported, withoutUnsupportedFields } from './assert-supported.ts';
import { boundGenerationUsage } from './bound-generation-usage.ts';
import type { Generation } from './generate.ts';
import { loadInputs } from './inputs.ts';
import { requireModelOfWork } from './require-model.ts';
import { hasInputs, normalise } from './plan.ts';
import type { GenerationPlan } from './plan.ts';
import { compileOutputGrammars } from '../structured-output/output-grammars.ts';
import { withWebSearch } from './search.ts';

const advice =
  "(the prompt and the output limit of each choice). Shorten the messages or lower 'max_completion_tokens'.";

interface GenerationOptions {
  readonly operation?: 'chat' | 'text_completion';
  /** The output limit of a request that sets none, unless the policy has a lower one. Default: no limit. */
  readonly defaultOutputTokens?: number;
  /** Whether the engine may read more than the request contains, such as the results of tools that it runs itself. Default false. */
  readonly readsBeyondBody?: boolean;
  /** Whether the result is stored. Default: if the request says so. */
  readonly isStored?: boolean;
  /** ID of the completion. Default: a new one. */
  readonly id?: string | undefined;
  /** When the completion was created, in Unix seconds. Default: now. */
  readonly created?: number | undefined;
  /** ID of the stored conversation that the request continues. */
  readonly conversation?: string | undefined;
  /** The dialect of the request, for models that serve no other (`ChatModel.dialect`). */
  readonly dialect?: 'messages';
  /** Whether the last event says which stop sequence ended the reply. Default false. */
  readonly findsStop?: boolean;
}

/**
 * Admits a chat request to its engine. The caller runs the generation and ends its admission.
 *
 * @throws like `admit`.
 */
export async function startGeneration(
  call: Call<unknown>,
  body: ChatCompletionCreateParams,
  server: ServerContext,
  options: GenerationOptions = {},
): Promise<Generation> {
  const admission = await admit(call, server, new ChatWork(call, body, server, options));
  const { resolvedModel, plan, metadata, usage, moderators } = admission.loaded;
  const { conversation } = options;
  return { call, body, server, admission, resolvedModel, plan, metadata, accountant: usage, moderators, conversation };
}

interface FoundChatModel extends FoundModel {
  readonly resolved: ResolvedChatModel;
}

/** A request that was checked against its model, with its inputs. */
interface LoadedChat extends LoadedWork {
  readonly usage: Accountant;
  readonly resolvedModel: ResolvedChatModel;
  readonly plan: GenerationPlan;
  readonly metadata: CompletionMetadata;
  readonly moderators: readonly Moderator[];
}

class ChatWork implements Work<FoundChatModel, LoadedChat> {
  readonly #call: Call<unknown>;
  readonly #body: ChatCompletionCreateParams;
  readonly #server: ServerContext;
  readonly #options: GenerationOptions;
  /** With the results of a search, once there are any. */
  #plan: GenerationPlan | undefined;

  constructor(
    call: Call<unknown>,
    body: ChatCompletionCreateParams,
    server: ServerContext,
    options: GenerationOptions,
  ) {
    this.#call = call;
    this.#body = body;
    this.#server = server;
    this.#options = options;
  }

  get isStored(): boolean {
    return this.#options.isStored ?? this.#body.store === true;
  }

  find(): FoundChatModel {
    return requireModelOfWork('chat', this.#body.model, this.#server);
  }

  async load({ resolved: resolvedModel }: FoundChatModel, access: Access): Promise<LoadedChat> {
    const { model, engine } = resolvedModel;
    const { readsBeyondBody = false, findsStop } = this.#options;
    const moderators = moderatorsOf(this.#body, this.#server);
    const { memory } = access;
    const checked = this.#check(model, moderators, access);
    const body = hasInputs(checked)
      ? await loadInputs(checked, { call: this.#call, server: this.#server, model, memory })
      : checked;
    const grammars = await compileOutputGrammars(body, model, this.#server.grammars);
    const plan = normalise(body, model, grammars, findsStop);
    const getPromptTokens = promptTokens(plan.request, engine);
    const usage = new Accountant(getPromptTokens, (reported, counted) =>
      boundGenerationUsage(reported, {
        plan: this.#plan ?? plan,
        getPromptTokens,
        counted,
        readsBeyondBody,
        maxAttempts: this.#server.options.structuredOutputAttempts,
      }),
    );
    const { tier } = this.#call;
    const metadata = {
      id: this.#options.id ?? this.#server.createId('chatcmpl-'),
      created: this.#options.created ?? nowInSeconds(this.#server.clock),
      // The name in the request, which can be an alias.
      model: this.#body.model,
      service_tier: tier ?? resolveServiceTier(plan.request.service_tier, this.#server.options.defaultServiceTier),
    };
    const demand = { kind: 'tokens', estimate: () => estimateTokens(body, getPromptTokens), advice } as const;
    return { demand, usage, resolvedModel, plan, metadata, moderators };
  }

  /** The body that the engine of a model can receive. @throws a 400 for what the model or the policy does not allow. */
  #check(model: ChatModel, moderators: readonly Moderator[], { policy }: Access): ChatCompletionCreateParams {
    const { logRecord } = this.#call;
    const { options } = this.#server;
    if (model.dialect !== this.#options.dialect) throw servesOtherDialect(model);
    const limited = withOutputLimit(this.#body, policy.maxOutputTokens, this.#options.defaultOutputTokens);
    assertModeratorAllowed(limited, policy, this.#server);
    // The engine receives its own ID of the model, and no moderation.
    const isOfEngine = limited.model === model.id && limited.moderation === undefined;
    const ofEngine = isOfEngine ? limited : { ...limited, model: model.id, moderation: undefined };
    const checked = withoutUnsupportedFields(ofEngine, model, this.#options.readsBeyondBody ?? false);
    assertSupported(checked, model);
    checkModeratedImages(checked, moderators, options);
    assertSpeechSupported(checked, model, options.speech);
    logRecord.safetyIdentifier = (checked.safety_identifier ?? checked.user)?.slice(0, 128);
    return checked;
  }

  async inspect(loaded: LoadedChat, { memory }: Access): Promise<LoadedChat> {
    const { plan, moderators } = loaded;
    for (const moderator of moderators) {
      await moderateInput(moderator, plan.body.messages, { call: this.#call, server: this.#server, memory });
    }
    if (!plan.emulation.search) return loaded;
    this.#plan = await withWebSearch(plan, plan.emulation.search, this.#call, this.#server);
    return { ...loaded, plan: this.#plan };
  }

  slot({ resolvedModel: { engine, model }, plan: { body, request }, metadata, usage }: LoadedChat): Slot {
    const { operation = 'chat' } = this.#options;
    return {
      queue: this.#server.queues.get(engine),
      engine,
      tier: metadata.service_tier,
      observed: { operation, model: model.id, isStreamed: body.stream === true, request },
      outcome: () => ({
        firstTokenAt: usage.firstTokenAt,
        finishReasons: usage.finishReasons,
        responseId: metadata.id,
      }),
    };
  }
}

function servesOtherDialect({ id }: ChatModel): RequestError {
  return unsupportedValue('model', `Unsupported value: the model '${id}' is served at '/v1/messages' only.`);
}

function estimateTokens(
  { n, max_completion_tokens, max_tokens }: ChatCompletionCreateParams,
  getPromptTokens: () => PromptTokens,
): TokenEstimate {
  return tokenEstimate(getPromptTokens().tokens, n ?? 1, max_completion_tokens ?? max_tokens ?? undefined);
}
