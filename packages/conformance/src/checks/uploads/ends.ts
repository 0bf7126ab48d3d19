import { check } from '../../check.ts';
import type { Check, CheckInit } from '../../check.ts';
import { isSuccess } from '../../exchange/answer.ts';
import type { Answer } from '../../exchange/answer.ts';
import type { Call } from '../../exchange/call.ts';
import { textAt, valueAt } from '../../exchange/value.ts';
import { newPart, newUpload, partCall } from '../../world/makers.ts';
import type { World } from '../../world/world.ts';
import { assertErrorShape } from '../shape.ts';
import { assertConforms, assertSuccess, Skip } from '../../verdict.ts';

const needs = ['uploads.create', 'uploads.parts.create'] as const;
const section = 'States and transitions';

interface EndedUpload {
  readonly upload: string;
  readonly part: string;
}

const endedUpload =
  (status: string, end: (upload: string, part: string) => Call) =>
  async (world: World): Promise<EndedUpload> => {
    const upload = await newUpload(world, 3);
    const part = await newPart(world, upload, 'abc');
    if (!isSuccess(await world.send(end(upload, part)))) {
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
async function assertRejectedByState(world: World, call: Call): Promise<void> {
  const answer: Answer = await world.send(call);
  assertConforms(answer, answer.status === 400 || answer.status === 409, `The response has status ${answer.status} instead of 400 or 409.`); // prettier-ignore
  assertErrorShape(answer);
}

const rejectsParts = (
  status: string,
  ended: (world: World) => Promise<EndedUpload>,
  init: Omit<CheckInit, 'title' | 'run'>,
): Check =>
  check('uploads.parts.create', status, {
    ...init,
    title: `A ${status} upload rejects parts`,
    run: async (world) => assertRejectedByState(world, partCall((await ended(world)).upload, 'abc')),
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
    async run(world) {
      const { upload, part } = await cancelledUpload(world);
      await assertRejectedByState(world, completeCall(upload, part));
    },
  }),
  check('uploads.complete', 'twice', {
    title: 'Completing again creates no second file',
    section,
    certainty: 'likely',
    needs,
    async run(world) {
      const upload = await newUpload(world, 3);
      const body = { part_ids: [await newPart(world, upload, 'abc')] };
      const call = { method: 'POST', path: `/uploads/${upload}/complete`, body };
      const [first, second] = [await world.send(call), await world.send(call)];
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
    async run(world) {
      const upload = await newUpload(world, 3);
      const answer = await world.send({ method: 'POST', path: `/uploads/${upload}/cancel` });
      assertSuccess(answer);
      assertConforms(answer, textAt(answer.json, 'status') === 'cancelled', `Its status is ${String(valueAt(answer.json, 'status'))}.`); // prettier-ignore
    },
  }),
  check('uploads.cancel', 'completed', {
    title: 'A completed upload cannot be cancelled',
    section: 'companion',
    certainty: 'likely',
    needs: [...needs, 'uploads.complete'],
    run: async (world) =>
      assertRejectedByState(world, {
        method: 'POST',
        path: `/uploads/${(await completedUpload(world)).upload}/cancel`,
      }),
  }),
];
