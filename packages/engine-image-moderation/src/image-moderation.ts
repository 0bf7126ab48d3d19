import { createRequire } from 'node:module';
import { RequestError, modelNotFound } from '@modelwire/ports';
import type { ModerationEngine, ModerationInput, ModerationVerdict } from '@modelwire/ports';
import { createImageThread } from './image-thread.ts';
import type { Probabilities } from './network.ts';
import { notInstalled } from './not-installed.ts';
import { settingsOf } from './options.ts';
import type { ImageModerationOptions, Settings } from './options.ts';

/**
 * A moderation engine that examines images in this process, without a network: MobileNetV2 with the weights of `nsfwjs`. It
 * scores `sexual` only and ignores texts: combine it with a text engine by `combineModeration` (API: POST
 * /v1/moderations).
 * The packages `nsfwjs` and `sharp` are optional peers: without them this throws an Error with the install command. Weights are
 * loaded at the first image.
 * @throws {TypeError} naming the invalid option.
 */
export function createImageModeration(options: ImageModerationOptions = {}): ModerationEngine {
  const settings = settingsOf(options);
  const { name, frames, maxPixels } = settings;
  requireInstalled(createRequire(import.meta.url).resolve);
  const imageThread = createImageThread(settings);
  const created = Math.floor(Date.now() / 1000);
  const inputs = ['text', 'image'] as const;
  const categories = ['sexual'] as const;
  const models = Object.freeze(settings.models.map((id) => ({ id, created, owned_by: name, inputs, categories })));

  async function judge(input: ModerationInput, signal: AbortSignal): Promise<ModerationVerdict> {
    let score: number | undefined;
    for (const [index, part] of input.entries()) {
      if (part.type !== 'image') continue;
      const seen = await imageThread.run({ bytes: part.bytes, limits: { frames, maxPixels } }, signal);
      if (seen.type === 'failed') throw seen.error;
      if (seen.type === 'unreadable') throw unreadable(index);
      score = Math.max(score ?? 0, ...seen.frames.map((frame) => sexual(frame, settings)));
    }
    if (score === undefined) return {};
    const { threshold } = settings;
    return { sexual: { score, flagged: score >= threshold, threshold, appliedTo: ['image'] } };
  }

  return {
    name,
    models: () => models,
    async moderate({ model, inputs: asked }, { signal }) {
      if (!settings.models.includes(model)) throw modelNotFound(model);
      const verdicts: ModerationVerdict[] = [];
      for (const input of asked) verdicts.push(await judge(input, signal));
      return verdicts;
    },
    close: () => imageThread.close(),
  };
}

function sexual({ porn, hentai, sexy }: Probabilities, { suggestive }: Settings): number {
  return Math.min(1, porn + hentai + suggestive * sexy);
}

/** The server has validated the header of the file only; this error is about the rest. */
function unreadable(index: number): RequestError {
  const param = `input[${index}].image_url.url`;
  return new RequestError(`Invalid image in '${param}': it is damaged, or too large to be decoded.`, {
    status: 400,
    param,
    code: 'invalid_image',
  });
}

/** @throws an Error with the install command of a missing package. */
export function requireInstalled(resolve: (name: string) => unknown): void {
  for (const name of ['nsfwjs', 'sharp']) {
    try {
      resolve(name);
    } catch (cause) {
      throw notInstalled(name, cause);
    }
  }
}
