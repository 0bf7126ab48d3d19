import { modelNotFound } from '@modelwire/ports';
import type { ChatEngine, ChatEvent, ChatRequest, EngineContext } from '@modelwire/ports';
import { callOptions } from './call-options.ts';
import { configuredModels } from './configured-model.ts';
import type { ConfiguredModel } from './configured-model.ts';
import { interrupted, providerFailure, requestFailure } from './failures.ts';
import type { FailureContext } from './failures.ts';
import { createMetadataCache } from './metadata-cache.ts';
import type { AiSdkOptions } from './options.ts';
import { providerName } from './provider-profile.ts';
import { createStreamPartReader } from './stream-parts.ts';
import { isUnknownEvent } from './unknown-event.ts';
import { droppedParameter } from './warnings.ts';

/** UTF-16 code units of provider metadata that are kept for clients that do not send it back. */
const maxCacheSize = 16 * 1024 * 1024;

/**
 * A chat engine over models of the Vercel AI SDK. It makes one streamed call for each reply and does not repeat failed calls.
 *
 * Failures are `RequestError`s with the provider's reason: 400 for parameters that the provider would drop, 429 with `retry-after`,
 * 502 to 504 for outages. Reasoning is streamed as `reasoning_content`; what the provider wants back with the next request, such as
 * signatures, is the member `provider_metadata` of the message.
 *
 * @throws TypeError that names the option.
 */
export function createAiSdk(options: AiSdkOptions): ChatEngine {
  const configured = configuredModels(options, Math.floor(Date.now() / 1000));
  const chatModels = Object.freeze([...configured.values()].map(({ chatModel }) => chatModel));
  const { name = 'ai-sdk', onWarning } = options;
  const secrets = (options.secrets ?? []).flatMap((secret) => secret || []);

  const cache = createMetadataCache(maxCacheSize);

  async function* generate(
    request: ChatRequest,
    context: EngineContext,
  ): AsyncGenerator<readonly ChatEvent[], void, undefined> {
    const model = configured.get(context.model.id);
    if (!model) throw modelNotFound(context.model.id);
    const failureContext = { model: context.model.id, provider: model.model.provider, secrets };
    try {
      yield* reply(request, context, model, failureContext);
    } catch (error) {
      throw context.signal.aborted ? error : requestFailure(error, failureContext);
    }
  }

  async function* reply(
    request: ChatRequest,
    context: EngineContext,
    configuredModel: ConfiguredModel,
    failureContext: FailureContext,
  ): AsyncGenerator<readonly ChatEvent[], void, undefined> {
    const { model } = configuredModel;
    context.signal.throwIfAborted();
    const call = callOptions(request, context, configuredModel, (id) => cache.find(context.project, id));
    context.reportUpstream?.(providerName(model.provider));
    const { stream } = await model.doStream(call);
    const reader = createStreamPartReader(providerName(model.provider));
    for await (const part of stream) {
      if (part.type === 'stream-start') {
        for (const warning of part.warnings) {
          const error = droppedParameter(warning, call, context.model.id);
          if (error) throw error;
          if (warning.type !== 'unsupported') onWarning?.(context.model.id, warning);
        }
      }
      if (part.type === 'error' && !isUnknownEvent(part.error)) throw providerFailure(part.error, failureContext);
      const events: ChatEvent[] = [];
      reader.read(part, events);
      // Before the end of the reply, because the client can send the next request immediately.
      const metadata = part.type === 'finish' ? reader.providerMetadata() : undefined;
      if (metadata) cache.add(context.project, metadata);
      if (events.length > 0) yield events;
    }
    const finished = reader.finished?.unified;
    if (finished === undefined || finished === 'interrupted') throw interrupted(failureContext);
    if (finished === 'error') throw providerFailure(undefined, failureContext, reader.finished?.raw);
  }

  return { name, isRemote: true, models: () => chatModels, generate };
}
