import { expect, test } from 'vitest';
import { selectChecks } from '../plan.ts';
import { sourceOf } from './find-requirement.ts';
import { requirements } from './requirements.ts';

const idsIn = (spec: string) =>
  selectChecks({
    only: [],
    except: [],
    quick: false,
    spec,
    shard: { index: 1, count: 1 },
    expectedFailures: new Map(),
  }).map(({ id }) => id);

test('every check has a requirement, and every requirement a check or the reason why it has none', () => {
  const tested = new Set(idsIn('latest').map((id) => sourceOf(id).requirement));
  const withoutChecks = requirements.filter(({ id }) => !tested.has(id));
  expect(withoutChecks.filter(({ untestable }) => untestable === undefined)).toEqual([]);
  expect(requirements.filter(({ id, untestable }) => tested.has(id) && untestable !== undefined)).toEqual([]);
  expect(new Set(requirements.map(({ id }) => id)).size).toBe(requirements.length);
});

test('a requirement is as specific as its name', () => {
  const other = idsIn('latest').filter((id) => {
    const [area = ''] = sourceOf(id).requirement.toLowerCase().split('-');
    return !['ext', 'http', 'stored'].includes(area) && !id.startsWith(area) && area !== 'conversations';
  });
  expect(other).toEqual([]);
});

test.each([
  ['chat.completions.create/stream.done', '2025-06', 'CHAT-7'],
  ['chat.completions.create/param.verbosity.low', '2025-08', 'CHAT-2'],
  ['chat.completions.create/tools.named', '2025-06', 'CHAT-4'],
  ['chat.completions.create/refuses.temperature.above.named', '2025-06', 'HTTP-7'],
  ['videos.create/served', '2025-10', 'HTTP-1'],
  ['responses.compact/request.prompt_cache_options.type', '2026-07', 'HTTP-11'],
  ['responses.create/response.max_tool_calls', '2026-02', 'HTTP-15'],
  ['chat.completions.create/request.top_k.type', null, 'EXT-3'],
  ['chat.completions.resume/served', null, 'EXT-2'],
])('%s was introduced in %s (%s)', (id, since, requirement) => {
  expect(sourceOf(id)).toEqual({ requirement, since });
});

test('a run by a date has the checks of the specification of that month', () => {
  const counts = ['2025-06', '2025-10', '2026-08', 'latest'].map((spec) => idsIn(spec).length);
  expect(counts).toEqual(counts.toSorted((a, b) => a - b));
  expect(new Set(counts).size).toBe(4);
  expect(idsIn('2025-06').some((id) => id.startsWith('videos.') || id.startsWith('chat.completions.resume'))).toBe(
    false,
  );
});
