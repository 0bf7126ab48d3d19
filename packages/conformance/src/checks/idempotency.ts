import { check } from '../check.ts';
import type { Check } from '../check.ts';
import { succeeded } from '../exchange/answer.ts';
import type { Call } from '../exchange/call.ts';
import { textAt } from '../exchange/value.ts';
import { hello, uploadBody } from '../world/makers.ts';
import type { World } from '../world/world.ts';
import { hasErrorShape } from './shape.ts';
import { assertConforms } from '../verdict.ts';

type Id = 'chat.completions.create' | 'uploads.create';

/** The header that official SDKs send with retried requests. Each check has its own key: checks run at the same time. */
const withKey = (world: World, name: string, call: Call): Call => ({
  ...call,
  headers: { 'idempotency-key': `${world.run}-${name}-${call.path}` },
});

function pair(id: Id, callOf: (world: World, bytes: number) => Promise<Call>): readonly Check[] {
  const common = { section: 'companion', certainty: 'opinion', weight: 1 } as const;
  return [
    check(id, 'idempotency.same', {
      ...common,
      title: 'The same request with the same Idempotency-Key is processed once',
      async run(world) {
        const call = withKey(world, 'same', await callOf(world, 3));
        const [first, second] = [await world.send(call), await world.send(call)];
        assertConforms(first, succeeded(first), `The response has status ${first.status}.`);
        assertConforms(
          second,
          textAt(second.json, 'id') === textAt(first.json, 'id'),
          'The second request is processed again.',
        );
      },
    }),
    check(id, 'idempotency.other', {
      ...common,
      title: 'Rejects a different request with a used Idempotency-Key',
      async run(world) {
        await world.send(withKey(world, 'other', await callOf(world, 3)));
        const answer = await world.send(withKey(world, 'other', await callOf(world, 4)));
        assertConforms(
          answer,
          answer.status >= 400 && answer.status < 500,
          `The response has status ${answer.status}.`,
        );
        hasErrorShape(answer);
      },
    }),
  ];
}

/** Idempotent retries. */
export const idempotencyChecks: readonly Check[] = [
  ...pair('chat.completions.create', async (world, bytes) => ({
    method: 'POST',
    path: '/chat/completions',
    body: { model: await world.chatModel(), messages: hello, max_completion_tokens: bytes * 10 },
  })),
  ...pair('uploads.create', async (_, bytes) => ({ method: 'POST', path: '/uploads', body: uploadBody(bytes) })),
];
