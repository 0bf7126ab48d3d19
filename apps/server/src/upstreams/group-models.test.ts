import { expect, test } from 'vitest';
import { groupModels } from './group-models.ts';
import type { ListedModel } from './model-list.ts';

function group(lists: Readonly<Record<string, readonly ListedModel[]>>) {
  const upstreams = Object.keys(lists).map((name) => ({ name }));
  const listed = new Map(Object.entries(lists).map(([name, models]) => [name, new Map(models.map((m) => [m.id, m]))]));
  return groupModels(upstreams, listed);
}

test('keeps models of other kinds apart from those for chat and embeddings', () => {
  const { models, kinds, otherModels } = group({
    a: [
      { id: 'chat' },
      { id: 'bge-m3' },
      { id: 'bge-reranker', owned_by: 'them', created: 7 },
      { id: 'omni-moderation-latest' },
      { id: 'sora-2' },
      { id: 'x', type: 'image' },
    ],
  });
  expect(Object.keys(models)).toEqual(['bge-m3', 'chat']);
  expect(kinds).toMatchObject({ chat: 'chat', 'bge-m3': 'embedding', x: 'image', 'sora-2': 'video' });
  expect(otherModels).toEqual([
    { id: 'bge-reranker', owned_by: 'them', created: 7 },
    { id: 'x', owned_by: 'a', created: 0 },
  ]);
});

test('a model of several upstreams has the kind and the owner of the first, and is served by upstreams where it has that kind', () => {
  const { models, upstreamsByModel } = group({
    a: [{ id: 'm', owned_by: 'first' }],
    b: [{ id: 'm', type: 'embedding' }],
    c: [{ id: 'm', owned_by: 'third' }],
  });
  expect(models).toEqual({ m: { upstreams: ['a', 'c'], owned_by: 'first' } });
  expect(upstreamsByModel.get('m')).toEqual(['a', 'c']);
});
