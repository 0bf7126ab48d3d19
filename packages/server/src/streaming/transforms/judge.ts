import type { ServerContext } from '../../context.ts';
import type { Served } from '../../model-registry.ts';
import type { ModerationEngine, ModerationEngineModel, ModerationInput, ModerationVerdict } from '@modelwire/ports';
import type { Call } from '../../call.ts';

export type Judge = Served<ModerationEngine, ModerationEngineModel>;

/** Has inputs judged, one verdict for each, when there is a place at the engine. */
export async function judged(
  { engine, model }: Judge,
  inputs: readonly ModerationInput[],
  { caller, requestId }: Pick<Call, 'caller' | 'requestId'>,
  kit: Pick<ServerContext, 'queues'>,
): Promise<readonly ModerationVerdict[]> {
  const queue = kit.queues.of(engine);
  const turn = queue.enter('default', caller);
  if (turn) await turn;
  try {
    const verdicts = await engine.moderate({ model: model.id, inputs }, { requestId, signal: caller.signal });
    caller.signal.throwIfAborted();
    if (verdicts.length === inputs.length) return verdicts;
    throw new Error(`engine '${engine.name}' left inputs without a verdict`);
  } finally {
    queue.leave();
  }
}
