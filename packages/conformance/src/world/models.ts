import { succeeded } from '../exchange/answer.ts';
import { listAt, textAt } from '../exchange/value.ts';
import type { World } from './world.ts';

/** Ids that do not look like those of chat models. */
const NO_CHAT = /moderation|embed|whisper|tts|dall-e|image|sora|storyboard|video|transcribe|realtime|rerank/i;
const TRIED_MAX = 4;
/** Servers that list no models usually accept any name. */
const FALLBACK = 'gpt-4o-mini';

/** The chat model: the configured one, or else the first listed that responds. */
export async function findChatModel(world: World): Promise<string> {
  const { chat } = world.settings.models;
  if (chat !== undefined) return chat;
  const candidates = (await listedModels(world)).filter((id) => !NO_CHAT.test(id)).slice(0, TRIED_MAX);
  if (candidates.length < 2) return candidates[0] ?? FALLBACK;
  for (const model of candidates) {
    const answer = await world.send({
      method: 'POST',
      path: '/chat/completions',
      body: { model, messages: [{ role: 'user', content: 'Say hello.' }] },
    });
    if (succeeded(answer)) return model;
  }
  return candidates[0] ?? FALLBACK;
}

export async function listedModels(world: World): Promise<readonly string[]> {
  const answer = await world.asked('GET /models', () => ({ method: 'GET', path: '/models' }));
  return listAt(answer.json, 'data').flatMap((model) => textAt(model, 'id') ?? []);
}
