import type { ModerationCategory } from '@modelwire/schema/types';
import { RequestError, modelNotFound } from '@modelwire/ports';
import type {
  CategoryVerdict,
  ModerationEngine,
  ModerationEngineModel,
  ModerationInput,
  ModerationVerdict,
} from '@modelwire/ports';

export interface CombinedEngines {
  /** Receives texts; its models are the models of the combination. */
  readonly text: ModerationEngine;
  /** Receives images, under the same model ID if it has it, else under its first. */
  readonly image: ModerationEngine;
  /** Names the engine in logs. Default: the names of both. */
  readonly name?: string;
}

/**
 * Combines two engines: texts go to one, images to the other. The higher score of each category counts, it is flagged when
 * either flags it, and its input types are those of both. Closing it closes both.
 */
export function combineModeration({
  text,
  image,
  name = `${text.name}+${image.name}`,
}: CombinedEngines): ModerationEngine {
  return {
    name,
    models: () => text.models().map((model) => ({ ...model, inputs: ['text', 'image'] as const })),
    async moderate({ model, inputs: asked }, { requestId, observer, signal }) {
      if (!text.models().some(({ id }) => id === model)) throw modelNotFound(model);
      const imageModel = imageModelFor(model, image)?.id;
      if (imageModel === undefined) throw new Error(`engine '${image.name}' has no model`);
      // A failure of one aborts the other: without both there is no verdict.
      const failed = new AbortController();
      const context = { requestId, observer, signal: AbortSignal.any([signal, failed.signal]) };
      const ask = (
        engine: ModerationEngine,
        type: 'text' | 'image',
        id: string,
      ): Promise<readonly ModerationVerdict[]> =>
        askAbout(type, asked, (some) => engine.moderate({ model: id, inputs: some }, context)).catch(
          (error: unknown) => {
            failed.abort(error);
            throw error;
          },
        );
      const [texts, images] = await Promise.all([ask(text, 'text', model), ask(image, 'image', imageModel)]);
      return asked.map((_, index) => merged(texts[index] ?? {}, images[index] ?? {}));
    },
    async close() {
      await Promise.all([text.close?.(), image.close?.()]);
    },
  };
}

function imageModelFor(id: string, image: ModerationEngine): ModerationEngineModel | undefined {
  const models = image.models();
  return models.find((model) => model.id === id) ?? models[0];
}

/** A verdict for each input about its parts of one type; an empty one without such parts. */
async function askAbout(
  type: 'text' | 'image',
  asked: readonly ModerationInput[],
  moderate: (inputs: readonly ModerationInput[]) => Promise<readonly ModerationVerdict[]>,
): Promise<readonly ModerationVerdict[]> {
  const some = asked.flatMap((input, index) => {
    const parts = input.filter((part) => part.type === type);
    return parts.length > 0 ? [{ index, parts }] : [];
  });
  if (some.length === 0) return [];
  let verdicts: readonly ModerationVerdict[];
  try {
    verdicts = await moderate(some.map(({ parts }) => parts));
  } catch (error) {
    const [only] = asked;
    throw asked.length === 1 && only ? renumbered(error, only, type) : error;
  }
  if (verdicts.length !== some.length) throw new Error('an engine left inputs without a verdict');
  const all: ModerationVerdict[] = [];
  for (const [at, { index }] of some.entries()) all[index] = verdicts[at] ?? {};
  return all;
}

/** Converts the index among the forwarded parts to the index in the request. */
function renumbered(error: unknown, input: ModerationInput, type: 'text' | 'image'): unknown {
  if (!(error instanceof RequestError)) return error;
  const [start = '', digits = ''] = /^input\[(\d+)\]/.exec(error.param ?? '') ?? [];
  const places = input.flatMap((part, index) => (part.type === type ? [index] : []));
  const place = places[Number(digits)];
  if (start === '' || place === undefined) return error;
  const { status, code, headers, param } = error;
  return new RequestError(error.message.replaceAll(start, `input[${place}]`), {
    status,
    type: error.type,
    code,
    headers,
    param: `input[${place}]${(param ?? '').slice(start.length)}`,
    cause: error.cause,
  });
}

function merged(one: ModerationVerdict, other: ModerationVerdict): ModerationVerdict {
  const all: Partial<Record<ModerationCategory, CategoryVerdict>> = { ...one };
  for (const [category, theirs] of Object.entries(other) as [ModerationCategory, CategoryVerdict][]) {
    const ours = all[category];
    // The threshold of the engine that flagged it, or else of the one with the higher score.
    const decisive =
      ours && (ours.flagged === theirs.flagged ? ours.score >= theirs.score : ours.flagged) ? ours : theirs;
    all[category] = ours
      ? {
          ...(decisive.threshold !== undefined && { threshold: decisive.threshold }),
          score: Math.max(ours.score, theirs.score),
          flagged: ours.flagged || theirs.flagged,
          appliedTo: [...new Set([...ours.appliedTo, ...theirs.appliedTo])],
        }
      : theirs;
  }
  return all;
}
