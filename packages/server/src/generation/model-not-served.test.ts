import { expect, test } from 'vitest';
import { key, listen } from '../testing/listen.ts';
import { wordModeration } from '../testing/moderation-engine.ts';
import { says, scriptedEngine } from '../testing/scripted-engine.ts';

async function serve() {
  const { url } = await listen({
    engines: [{ ...scriptedEngine(() => says('Hi'), { id: 'chatty' }), unaskedUpstreams: () => [{ name: 'box', cause: 'ECONNREFUSED' }] }], // prettier-ignore
    embeddingEngines: [
      {
        name: 'vectors',
        models: () => [{ id: 'vector', created: 1, owned_by: 'tests' }],
        embed: () => Promise.resolve({ embeddings: [[1]], promptTokens: 1 }),
      },
    ],
    moderationEngines: [wordModeration()],
  });
  return async (path: string, body: object) => {
    const response = await fetch(`${url}/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as { error: { code: string; message: string } } };
  };
}

const messages = [{ role: 'user', content: 'Hi' }];

test.each<[path: string, body: object, message: string]>([
  ['/chat/completions', { model: 'vector', messages }, "'vector' is a model for embeddings, not for chat"],
  ['/completions', { model: 'vector', prompt: 'Hi' }, "'vector' is a model for embeddings, not for chat"],
  ['/responses', { model: 'vector', input: 'Hi', store: false }, "'vector' is a model for embeddings, not for chat"],
  ['/embeddings', { model: 'chatty', input: 'Hi' }, "'chatty' is a model for chat, not for embeddings"],
  ['/moderations', { model: 'chatty', input: 'Hi' }, "'chatty' is a model for chat, not for moderation"],
])(
  '%s with a model of another kind says what it is for, also while an upstream cannot be asked',
  async (path, body, message) => {
    const post = await serve();
    const reply = await post(path, body);
    expect(reply).toMatchObject({ status: 400, body: { error: { code: 'unsupported_value', param: 'model' } } });
    expect(reply.body.error.message).toContain(message);
  },
);

test.each<[path: string, body: object]>([
  ['/chat/completions', { model: 'other', messages }],
  ['/completions', { model: 'other', prompt: 'Hi' }],
  ['/responses', { model: 'other', input: 'Hi', store: false }],
  ['/embeddings', { model: 'other', input: 'Hi' }],
  ['/moderations', { model: 'other', input: 'Hi' }],
])('%s with an unknown model is a 404 that names the upstream that could not be asked', async (path, body) => {
  const post = await serve();
  const reply = await post(path, body);
  expect(reply).toMatchObject({ status: 404, body: { error: { code: 'model_not_found' } } });
  expect(reply.body.error.message).toContain("the upstream 'box' (ECONNREFUSED)");
});
