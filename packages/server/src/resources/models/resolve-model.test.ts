import { expect, test } from 'vitest';
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

test('the 404 for an unknown model names the upstreams that could not be asked for their models', async () => {
  const engine = scriptedEngine(() => says('yes'), { id: 'listed' });
  const unaskedUpstreams = () => [
    { name: 'gpu-1', cause: 'ECONNREFUSED' },
    { name: 'gpu-2', cause: 'status 503' },
  ];
  const engines = [{ ...engine, unaskedUpstreams, hasLoadedModels: false }];
  const { client } = await listen({ engines, modelAliases: { alias: 'target' } });

  const messages = [{ role: 'user' as const, content: 'Do you?' }];
  const error = {
    status: 404,
    code: 'model_not_found',
    message: expect.stringContaining("the upstream 'gpu-1' (ECONNREFUSED), 'gpu-2' (status 503).") as unknown,
  };
  for (const model of ['other', 'alias'])
    await expect(client.chat.completions.create({ model, messages })).rejects.toMatchObject(error);
  await expect(client.models.retrieve('other')).rejects.toMatchObject(error);
  expect((await client.chat.completions.create({ model: 'listed', messages })).model).toBe('listed');
});
