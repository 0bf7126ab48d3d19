import { isSuccess } from '../exchange/answer.ts';
import { listAt, textAt } from '../exchange/value.ts';
import type { World } from './world.ts';

/** Matches IDs of models that are not chat models. */
const NON_CHAT_MODELS = /moderation|embed|whisper|tts|dall-e|image|sora|storyboard|video|transcribe|realtime|rerank/i;
const MAX_CANDIDATES = 4;
/** Servers that list no models usually accept any name. */
const FALLBACK_MODEL = 'gpt-4o-mini';

/** The chat model: the configured one, or else the first listed that responds. */
export async function findChatModel(world: World): Promise<string> {
  const { chat } = world.settings.models;
  if (chat !== undefined) return chat;
  const candidates = (await listedModels(world)).filter((id) => !NON_CHAT_MODELS.test(id)).slice(0, MAX_CANDIDATES);
  if (candidates.length < 2) return candidates[0] ?? FALLBACK_MODEL;
  for (const model of candidates) {
    const answer = await world.send({
      method: 'POST',
      path: '/chat/completions',
      body: { model, messages: [{ role: 'user', content: 'Say hello.' }] },
    });
    if (isSuccess(answer)) return model;
  }
  return candidates[0] ?? FALLBACK_MODEL;
}

export async function listedModels(world: World): Promise<readonly string[]> {
  const answer = await world.sendOnce('GET /models', () => ({ method: 'GET', path: '/models' }));
  return listAt(answer.json, 'data').flatMap((model) => textAt(model, 'id') ?? []);
}
