import { expect, test, vi } from 'vitest';
import { planReply } from './plan.ts';
import { createSimulator } from './simulator.ts';
import * as phrases from './values/phrases.ts';

vi.mock('./plan.ts', { spy: true });
vi.mock('./values/phrases.ts', { spy: true });

test('a simulator that is ready has compiled what a first request with a JSON Schema needs', async () => {
  await createSimulator().ready();
  const formats = vi.mocked(planReply).mock.calls.map(([request]) => JSON.stringify(request.response_format));
  for (const type of ['string', 'number', 'integer']) expect(formats[0]).toContain(`{"type":"${type}"}`);
  for (const pattern of [phrases.quotedIn, phrases.namesIn, phrases.numbersIn]) expect(pattern).toHaveBeenCalled();
});
