import { expect, test, vi } from 'vitest';
import { RequestError } from '../../errors.ts';
import { BudgetExceeded } from '../../limits/budgets.ts';
import { says, scriptedEngine } from '../../testing/scripted-engine.ts';
import { lines, patient, serve } from '../../testing/serve-batches.ts';

const resetsAt = 4_000_000_000;
const spent = new RequestError('The budget is spent.', {
  status: 429,
  code: 'insufficient_quota',
  cause: new BudgetExceeded({ id: 'budget_1', resetsAt }, false),
});

/** A batch of two lines, none of which can run until `state.isAway` is false. */
async function waitingBatch(reason: string) {
  const state = { isAway: true };
  const engine = scriptedEngine(() => {
    if (state.isAway) throw spent;
    return says('Hi');
  });
  const models = () => (state.isAway && reason === 'model_unavailable' ? [] : engine.models());
  const unaskedUpstreams = () => (state.isAway ? [{ name: 'box', cause: 'ECONNREFUSED' }] : []);
  const { batches, work, create, until } = await serve({
    engines: [{ ...engine, models, unaskedUpstreams }],
  });
  const { id } = await create(work.input(lines(2)));
  return { id, state, batches, until };
}

const waits = {
  budget: { message: 'The budget is spent.', until: resetsAt },
  model_unavailable: { message: expect.stringContaining("'scripted'") as string, until: null },
};

for (const [reason, wait] of Object.entries(waits)) {
  const waiting = { status: 'in_progress', waiting_for: { reason, since: expect.any(Number) as number, ...wait } };

  test(`a batch and the list of batches say that it waits until it continues: ${reason}`, async () => {
    const { id, state, batches, until } = await waitingBatch(reason);
    await vi.waitFor(async () => expect(await batches.retrieve(id)).toMatchObject(waiting), patient);
    expect((await batches.list()).data).toMatchObject([waiting]);
    state.isAway = false;
    const completed = await until(id, 'completed');
    expect(completed.request_counts).toEqual({ total: 2, completed: 2, failed: 0 });
    expect(completed).not.toHaveProperty('waiting_for');
  });

  test(`a batch that waits can be cancelled, and then waits for nothing: ${reason}`, async () => {
    const { id, batches, until } = await waitingBatch(reason);
    await vi.waitFor(async () => expect(await batches.retrieve(id)).toMatchObject(waiting), patient);
    expect(await batches.cancel(id)).not.toHaveProperty('waiting_for');
    expect(await until(id, 'cancelled')).not.toHaveProperty('waiting_for');
  });
}
