import type { ServerContext } from '../../context.ts';
import type { ResolvedModel } from '../../models/model-registry.ts';
import type {
  ModerationContext,
  ModerationEngine,
  ModerationEngineModel,
  ModerationInput,
  ModerationObserver,
  ModerationVerdict,
  ObservedModeration,
  RequestObservation,
} from '@modelwire/ports';
import type { Call } from '../../call.ts';

export type ResolvedModerationModel = ResolvedModel<ModerationEngine, ModerationEngineModel>;

/** For requests that only moderate: a chat reports the upstream of its reply, and is charged for that. */
interface ModerationListener {
  readonly reportUpstream: ModerationContext['reportUpstream'];
  /** Called when the engine receives the inputs. */
  readonly onStart: () => void;
}

/** Moderates inputs when a slot at the engine is free, with one verdict for each. */
export async function moderateInputs(
  { engine, model }: ResolvedModerationModel,
  inputs: readonly ModerationInput[],
  { client, requestId, principal, observation }: Pick<Call, 'client' | 'requestId' | 'principal' | 'observation'>,
  server: Pick<ServerContext, 'queues'>,
  listener?: ModerationListener,
): Promise<readonly ModerationVerdict[]> {
  const release = await server.queues.get(engine).acquire('default', client.signal);
  try {
    const observer = observation && moderationObserver(observation, principal.project);
    const context = { requestId, reportUpstream: listener?.reportUpstream, observer, signal: client.signal };
    listener?.onStart();
    const verdicts = await engine.moderate({ model: model.id, inputs }, context);
    client.signal.throwIfAborted();
    if (verdicts.length === inputs.length) return verdicts;
    throw new Error(`engine '${engine.name}' left inputs without a verdict`);
  } finally {
    release();
  }
}

/** Observes the moderation as a part of a request of the project. */
function moderationObserver(request: RequestObservation, project: string): ModerationObserver {
  return {
    startGeneration: (generation) => request.startGeneration({ ...generation, project }),
    startUpstreamAttempt: (attempt) => request.startUpstreamAttempt(attempt),
  };
}

/** Moderates as an observed part of a request. */
export async function observedModeration<Result>(
  request: RequestObservation | undefined,
  details: ObservedModeration,
  isFlagged: (result: Result) => boolean,
  moderate: () => Promise<Result>,
): Promise<Result> {
  const observation = request?.startModeration(details);
  if (!observation) return moderate();
  try {
    const result = await moderate();
    observation.end({ isFlagged: isFlagged(result) });
    return result;
  } catch (error) {
    observation.end({ error });
    throw error;
  }
}
