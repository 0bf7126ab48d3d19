import { expect, test } from 'vitest';
import { listen } from '../../testing/listen.ts';
import { says, scriptedEngine } from '../../testing/scripted-engine.ts';

test('a model that an engine serves and does not list is served, and is not listed', async () => {
  const engine = scriptedEngine(() => says('yes'), { id: 'listed' });
  const [model] = engine.models();
  const unlisted = (id: string) => (model && id.startsWith('other-') ? { ...model, id } : undefined);
  const { client } = await listen({ engines: [{ ...engine, unlisted }] });

  const messages = [{ role: 'user' as const, content: 'Do you?' }];
  const { model: named, choices } = await client.chat.completions.create({ model: 'other-1', messages });
  expect([named, choices[0]?.message.content]).toEqual(['other-1', 'yes']);
  expect(await client.models.retrieve('other-2')).toMatchObject({ id: 'other-2' });
  expect((await client.models.list()).data.map(({ id }) => id)).toEqual(['listed']);
  await expect(client.chat.completions.create({ model: 'else', messages })).rejects.toMatchObject({ status: 404 });
});
