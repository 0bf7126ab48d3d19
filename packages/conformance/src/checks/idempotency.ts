import { check } from '../check.ts';
import type { Check } from '../check.ts';
import type { Call } from '../exchange/call.ts';
import { textAt } from '../exchange/value.ts';
import { helloMessages, uploadBody } from '../context/create-objects.ts';
import type { RunContext } from '../context/run-context.ts';
import { assertErrorShape } from './shape.ts';
import { assertClientError, assertConforms, assertSuccess } from '../verdict.ts';

type Id = 'chat.completions.create' | 'uploads.create';

/** The header that official SDKs send with retried requests. Each check has its own key: checks run at the same time. */
const withKey = (context: RunContext, name: string, call: Call): Call => ({
  ...call,
  headers: { 'idempotency-key': `${context.runId}-${name}-${call.path}` },
});

function idempotencyPair(id: Id, createCall: (context: RunContext, bytes: number) => Promise<Call>): readonly Check[] {
  const common = { section: 'companion', certainty: 'opinion', weight: 1 } as const;
  return [
    check(id, 'idempotency.same', {
      ...common,
      title: 'The same request with the same Idempotency-Key is processed once',
      async run(context) {
        const call = withKey(context, 'same', await createCall(context, 3));
        const [first, second] = [await context.send(call), await context.send(call)];
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
      async run(context) {
        await context.send(withKey(context, 'other', await createCall(context, 3)));
        const response = await context.send(withKey(context, 'other', await createCall(context, 4)));
        assertClientError(response);
        assertErrorShape(response);
      },
    }),
  ];
}

/** Idempotent retries. */
export const idempotencyChecks: readonly Check[] = [
  ...idempotencyPair('chat.completions.create', async (context, bytes) => ({
    method: 'POST',
    path: '/chat/completions',
    body: { model: await context.chatModel(), messages: helloMessages, max_completion_tokens: bytes * 10 },
  })),
  ...idempotencyPair('uploads.create', async (_, bytes) => ({
    method: 'POST',
    path: '/uploads',
    body: uploadBody(bytes),
  })),
];
