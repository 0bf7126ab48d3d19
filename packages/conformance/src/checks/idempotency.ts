import { check } from '../check.ts';
import type { Check } from '../check.ts';
import type { Call } from '../exchange/call.ts';
import { textAt } from '../exchange/value.ts';
import { helloMessages, uploadBody } from '../world/makers.ts';
import type { World } from '../world/world.ts';
import { assertErrorShape } from './shape.ts';
import { assertConforms, assertSuccess } from '../verdict.ts';

type Id = 'chat.completions.create' | 'uploads.create';

/** The header that official SDKs send with retried requests. Each check has its own key: checks run at the same time. */
const withKey = (world: World, name: string, call: Call): Call => ({
  ...call,
  headers: { 'idempotency-key': `${world.runId}-${name}-${call.path}` },
});

function idempotencyPair(id: Id, createCall: (world: World, bytes: number) => Promise<Call>): readonly Check[] {
  const common = { section: 'companion', certainty: 'opinion', weight: 1 } as const;
  return [
    check(id, 'idempotency.same', {
      ...common,
      title: 'The same request with the same Idempotency-Key is processed once',
      async run(world) {
        const call = withKey(world, 'same', await createCall(world, 3));
        const [first, second] = [await world.send(call), await world.send(call)];
        assertSuccess(first);
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
        await world.send(withKey(world, 'other', await createCall(world, 3)));
        const answer = await world.send(withKey(world, 'other', await createCall(world, 4)));
        assertConforms(
          answer,
          answer.status >= 400 && answer.status < 500,
          `The response has status ${answer.status}.`,
        );
        assertErrorShape(answer);
      },
    }),
  ];
}

/** Idempotent retries. */
export const idempotencyChecks: readonly Check[] = [
  ...idempotencyPair('chat.completions.create', async (world, bytes) => ({
    method: 'POST',
    path: '/chat/completions',
    body: { model: await world.chatModel(), messages: helloMessages, max_completion_tokens: bytes * 10 },
  })),
  ...idempotencyPair('uploads.create', async (_, bytes) => ({
    method: 'POST',
    path: '/uploads',
    body: uploadBody(bytes),
  })),
];
