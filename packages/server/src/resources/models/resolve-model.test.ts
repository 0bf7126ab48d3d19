import { expect, test } from 'vitest';
import { RequestError } from '../../errors.ts';
import { listen } from '../../testing/listen.ts';
import { says, scriptedEngine } from '../../testing/scripted-engine.ts';

test('serves a model that its engine does not list, and does not list it', async () => {
  const engine = scriptedEngine(() => says('yes'), { id: 'listed' });
  const [model] = engine.models();
  const resolveModel = (id: string) => (model && id.startsWith('other-') ? { ...model, id } : undefined);
  const { client } = await listen({ engines: [{ ...engine, resolveModel }] });

  const messages = [{ role: 'user' as const, content: 'Do you?' }];
  const { model: named, choices } = await client.chat.completions.create({ model: 'other-1', messages });
  expect([named, choices[0]?.message.content]).toEqual(['other-1', 'yes']);
  expect(await client.models.retrieve('other-2')).toMatchObject({ id: 'other-2' });
  expect((await client.models.list()).data.map(({ id }) => id)).toEqual(['listed']);
  await expect(client.chat.completions.create({ model: 'else', messages })).rejects.toMatchObject({ status: 404 });
});

test("returns the engine's error instead of 404 for a model that may exist, also for an alias", async () => {
  const engine = scriptedEngine(() => says('yes'), { id: 'listed' });
  const asked: string[] = [];
  const unavailableError = (id: string) => {
    asked.push(id);
    return new RequestError('Its upstream is down.', { status: 503, code: 'upstream_unavailable' });
  };
  const engines = [{ ...engine, unavailableError, hasLoadedModels: false }];
  const { client } = await listen({ engines, modelAliases: { alias: 'target' } });

  const messages = [{ role: 'user' as const, content: 'Do you?' }];
  const error = { status: 503, code: 'upstream_unavailable' };
  await expect(client.chat.completions.create({ model: 'other', messages })).rejects.toMatchObject(error);
  await expect(client.chat.completions.create({ model: 'alias', messages })).rejects.toMatchObject(error);
  await expect(client.models.retrieve('other')).rejects.toMatchObject(error);
  expect(asked).toEqual(['other', 'target', 'other']);
  expect((await client.chat.completions.create({ model: 'listed', messages })).model).toBe('listed');
});
