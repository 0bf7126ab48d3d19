import { check } from '../../check.ts';
import type { Check, CheckInit } from '../../check.ts';
import { isSuccess } from '../../exchange/response.ts';
import type { CompleteResponse } from '../../exchange/response.ts';
import type { Call } from '../../exchange/call.ts';
import { textAt } from '../../exchange/value.ts';
import { newPart, newUpload, partCall } from '../../context/create-objects.ts';
import type { RunContext } from '../../context/run-context.ts';
import { assertErrorShape } from '../shape.ts';
import { assertConforms, assertFields, assertStatus, assertSuccess, Skip } from '../../verdict.ts';

const needs = ['uploads.create', 'uploads.parts.create'] as const;
const section = 'States and transitions';

interface EndedUpload {
  readonly upload: string;
  readonly part: string;
}

const endedUpload =
  (status: string, end: (upload: string, part: string) => Call) =>
  async (context: RunContext): Promise<EndedUpload> => {
    const upload = await newUpload(context, 3);
    const part = await newPart(context, upload, 'abc');
    if (!isSuccess(await context.send(end(upload, part)))) {
      throw new Skip(`it needs a ${status} upload, and none could be created`);
    }
    return { upload, part };
  };

const completeCall = (upload: string, part: string): Call => ({
  method: 'POST',
  path: `/uploads/${upload}/complete`,
  body: { part_ids: [part] },
});
const completedUpload = endedUpload('completed', completeCall);
const cancelledUpload = endedUpload('cancelled', (upload) => ({ method: 'POST', path: `/uploads/${upload}/cancel` }));

/** Rejected because of its status: 400 or 409, like OpenAI. */
async function assertRejectedByState(context: RunContext, call: Call): Promise<void> {
  const response: CompleteResponse = await context.send(call);
  assertStatus(response, 400, 409);
  assertErrorShape(response);
}

const rejectsParts = (
  status: string,
  ended: (context: RunContext) => Promise<EndedUpload>,
  init: Omit<CheckInit, 'title' | 'run'>,
): Check =>
  check('uploads.parts.create', status, {
    ...init,
    title: `A ${status} upload rejects parts`,
    run: async (context) => assertRejectedByState(context, partCall((await ended(context)).upload, 'abc')),
  });

/** Ended uploads reject changes. */
export const uploadEndChecks: readonly Check[] = [
  rejectsParts('completed', completedUpload, { section, weight: 3, needs: [...needs, 'uploads.complete'] }),
  rejectsParts('cancelled', cancelledUpload, {
    section: 'companion',
    certainty: 'likely',
    needs: [...needs, 'uploads.cancel'],
  }),
  check('uploads.complete', 'cancelled', {
    title: 'A cancelled upload cannot be completed',
    section: 'companion',
    certainty: 'likely',
    needs: [...needs, 'uploads.cancel'],
    async run(context) {
      const { upload, part } = await cancelledUpload(context);
      await assertRejectedByState(context, completeCall(upload, part));
    },
  }),
  check('uploads.complete', 'twice', {
    title: 'Completing again creates no second file',
    section,
    certainty: 'likely',
    needs,
    async run(context) {
      const upload = await newUpload(context, 3);
      const body = { part_ids: [await newPart(context, upload, 'abc')] };
      const call = { method: 'POST', path: `/uploads/${upload}/complete`, body };
      const [first, second] = [await context.send(call), await context.send(call)];
      if (!isSuccess(second)) {
        assertErrorShape(second);
        return;
      }
      const isSame = textAt(first.json, 'file', 'id') === textAt(second.json, 'file', 'id');
      assertConforms(second, isSame, 'The second response has another file.');
    },
  }),
  check('uploads.cancel', 'object', {
    title: 'A cancelled upload has the status cancelled',
    section: 'companion',
    certainty: 'likely',
    weight: 3,
    needs: ['uploads.create'],
    async run(context) {
      const upload = await newUpload(context, 3);
      const response = await context.send({ method: 'POST', path: `/uploads/${upload}/cancel` });
      assertSuccess(response);
      assertFields(response, { status: 'cancelled' });
    },
  }),
  check('uploads.cancel', 'completed', {
    title: 'A completed upload cannot be cancelled',
    section: 'companion',
    certainty: 'likely',
    needs: [...needs, 'uploads.complete'],
    run: async (context) =>
      assertRejectedByState(context, {
        method: 'POST',
        path: `/uploads/${(await completedUpload(context)).upload}/cancel`,
      }),
  }),
];
