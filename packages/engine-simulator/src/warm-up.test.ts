import * as grammar from '@modelwire/grammar';
import { expect, test, vi } from 'vitest';
import { createSimulator } from './simulator.ts';
import * as phrases from './values/phrases.ts';

vi.mock('@modelwire/grammar', { spy: true });
vi.mock('./values/phrases.ts', { spy: true });

test('a simulator that is ready has compiled what a first request with a JSON Schema needs', async () => {
  await createSimulator().ready();
  const types = vi.mocked(grammar.compileJsonSchema).mock.calls.map(([schema]) => schema);
  expect(types).toEqual(expect.arrayContaining([{ type: 'string' }, { type: 'number' }, { type: 'integer' }]));
  for (const pattern of [phrases.quotedIn, phrases.namesIn, phrases.numbersIn]) expect(pattern).toHaveBeenCalled();
});
