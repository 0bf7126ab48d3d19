import * as grammar from '@modelwire/grammar';
import { afterAll, expect, test, vi } from 'vitest';
import { createSimulator } from './simulator.ts';
import * as phrases from './values/phrases.ts';

// Other files of this process have loaded the real modules, and must not get the mocked ones.
vi.hoisted(() => vi.resetModules());
afterAll(() => void vi.resetModules());
vi.mock('@modelwire/grammar', { spy: true });
vi.mock('./values/phrases.ts', { spy: true });

test('a simulator that is ready has compiled what a first request with a JSON Schema needs', async () => {
  await createSimulator().ready();
  const [source] = vi.mocked(grammar.compileSource).mock.calls[0] ?? [];
  expect(source).toMatchObject({ type: 'json_schema' });
  for (const type of ['string', 'number', 'integer']) expect(JSON.stringify(source)).toContain(`{"type":"${type}"}`);
  // Its steps have run: values are written once they have ended.
  for (const pattern of [phrases.quotedIn, phrases.namesIn, phrases.numbersIn]) expect(pattern).toHaveBeenCalled();
});
