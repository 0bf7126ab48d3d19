import { check } from '../../check.ts';
import type { Check } from '../../check.ts';
import { isSuccess } from '../../exchange/answer.ts';
import type { Answer } from '../../exchange/answer.ts';
import type { Call } from '../../exchange/call.ts';
import { textAt, valueAt } from '../../exchange/value.ts';
import { newPart, newUpload, partCall } from '../../world/makers.ts';
import type { World } from '../../world/world.ts';
import { assertErrorShape } from '../shape.ts';
import { assertConforms, Skip } from '../../verdict.ts';

const needs = ['uploads.create', 'uploads.parts.create'] as const;
const section = 'States and transitions';

interface EndedUpload {
  readonly upload: string;
  readonly part: string;
}

async function completedUpload(world: World): Promise<EndedUpload> {
  const upload = await newUpload(world, 3);
  const part = await newPart(world, upload, 'abc');
  const answer = await world.send({ method: 'POST', path: `/uploads/${upload}/complete`, body: { part_ids: [part] } });
  if (!isSuccess(answer)) throw new Skip('it needs a completed upload, and none could be created');
  return { upload, part };
}

async function cancelledUpload(world: World): Promise<EndedUpload> {
  const upload = await newUpload(world, 3);
  const part = await newPart(world, upload, 'abc');
  const answer = await world.send({ method: 'POST', path: `/uploads/${upload}/cancel` });
  if (!isSuccess(answer)) throw new Skip('it needs a cancelled upload, and none could be created');
  return { upload, part };
}

/** Rejected because of its status: 400 or 409, like OpenAI. */
async function assertRejectedByState(world: World, call: Call): Promise<void> {
  const answer: Answer = await world.send(call);
  assertConforms(answer, answer.status === 400 || answer.status === 409, `The response has status ${answer.status} instead of 400 or 409.`); // prettier-ignore
  assertErrorShape(answer);
}

/** Ended uploads reject changes. */
export const uploadEndChecks: readonly Check[] = [
  check('uploads.parts.create', 'completed', {
    title: 'A completed upload rejects parts',
    section,
    weight: 3,
    needs: [...needs, 'uploads.complete'],
    run: async (world) => assertRejectedByState(world, partCall((await completedUpload(world)).upload, 'abc')),
  }),
  check('uploads.parts.create', 'cancelled', {
    title: 'A cancelled upload rejects parts',
    section: 'companion',
    certainty: 'likely',
    needs: [...needs, 'uploads.cancel'],
    run: async (world) => assertRejectedByState(world, partCall((await cancelledUpload(world)).upload, 'abc')),
  }),
  check('uploads.complete', 'cancelled', {
    title: 'A cancelled upload cannot be completed',
    section: 'companion',
    certainty: 'likely',
    needs: [...needs, 'uploads.cancel'],
    async run(world) {
      const { upload, part } = await cancelledUpload(world);
      await assertRejectedByState(world, {
        method: 'POST',
        path: `/uploads/${upload}/complete`,
        body: { part_ids: [part] },
      });
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
      assertConforms(answer, isSuccess(answer), `The response has status ${answer.status}.`);
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
