import { isSuccess } from '../exchange/response.ts';
import { listAt, textAt } from '../exchange/value.ts';
import type { RunContext } from './run-context.ts';

/** Matches IDs of models that are not chat models. */
const NON_CHAT_MODELS = /moderation|embed|whisper|tts|dall-e|image|sora|storyboard|video|transcribe|realtime|rerank/i;
const MAX_CANDIDATES = 4;
/** Servers that list no models usually accept any name. */
const FALLBACK_MODEL = 'gpt-4o-mini';

/** The chat model: the configured one, or else the first listed that responds. */
export async function findChatModel(context: RunContext): Promise<string> {
  const { chat } = context.settings.models;
  if (chat !== undefined) return chat;
  const candidates = (await listedModels(context)).filter((id) => !NON_CHAT_MODELS.test(id)).slice(0, MAX_CANDIDATES);
  if (candidates.length < 2) return candidates[0] ?? FALLBACK_MODEL;
  for (const model of candidates) {
    const response = await context.send({
      method: 'POST',
      path: '/chat/completions',
      body: { model, messages: [{ role: 'user', content: 'Say hello.' }] },
    });
    if (isSuccess(response)) return model;
  }
  return candidates[0] ?? FALLBACK_MODEL;
}

async function listedModels(context: RunContext): Promise<readonly string[]> {
  const response = await context.sendOnce('GET /models', () => ({ method: 'GET', path: '/models' }));
  return listAt(response.json, 'data').flatMap((model) => textAt(model, 'id') ?? []);
}
