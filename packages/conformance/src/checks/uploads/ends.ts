import { check } from '../../check.ts';
import type { Check } from '../../check.ts';
import { succeeded } from '../../exchange/answer.ts';
import type { Answer } from '../../exchange/answer.ts';
import type { Call } from '../../exchange/call.ts';
import { textAt, valueAt } from '../../exchange/value.ts';
import { newPart, newUpload, partCall } from '../../world/makers.ts';
import type { World } from '../../world/world.ts';
import { hasErrorShape } from '../shape.ts';
import { assertConforms, Skip } from '../../verdict.ts';

const needs = ['uploads.create', 'uploads.parts.create'] as const;
const section = 'States and transitions';

interface Ended {
  readonly upload: string;
  readonly part: string;
}

async function completed(world: World): Promise<Ended> {
  const upload = await newUpload(world, 3);
  const part = await newPart(world, upload, 'abc');
  const answer = await world.send({ method: 'POST', path: `/uploads/${upload}/complete`, body: { part_ids: [part] } });
  if (!succeeded(answer)) throw new Skip('it needs a completed upload, and none could be created');
  return { upload, part };
}

async function cancelled(world: World): Promise<Ended> {
  const upload = await newUpload(world, 3);
  const part = await newPart(world, upload, 'abc');
  const answer = await world.send({ method: 'POST', path: `/uploads/${upload}/cancel` });
  if (!succeeded(answer)) throw new Skip('it needs a cancelled upload, and none could be created');
  return { upload, part };
}

/** Rejected because of its status: 400 or 409, like OpenAI. */
async function refusedByState(world: World, call: Call): Promise<void> {
  const answer: Answer = await world.send(call);
  assertConforms(answer, answer.status === 400 || answer.status === 409, `The response has status ${answer.status} instead of 400 or 409.`); // prettier-ignore
  hasErrorShape(answer);
}

/** Ended uploads reject changes. */
export const uploadEndChecks: readonly Check[] = [
  check('uploads.parts.create', 'completed', {
    title: 'A completed upload rejects parts',
    section,
    weight: 3,
    needs: [...needs, 'uploads.complete'],
    run: async (world) => refusedByState(world, partCall((await completed(world)).upload, 'abc')),
  }),
  check('uploads.parts.create', 'cancelled', {
    title: 'A cancelled upload rejects parts',
    section: 'companion',
    certainty: 'likely',
    needs: [...needs, 'uploads.cancel'],
    run: async (world) => refusedByState(world, partCall((await cancelled(world)).upload, 'abc')),
  }),
  check('uploads.complete', 'cancelled', {
    title: 'A cancelled upload cannot be completed',
    section: 'companion',
    certainty: 'likely',
    needs: [...needs, 'uploads.cancel'],
    async run(world) {
      const { upload, part } = await cancelled(world);
      await refusedByState(world, { method: 'POST', path: `/uploads/${upload}/complete`, body: { part_ids: [part] } });
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
      if (!succeeded(second)) {
        hasErrorShape(second);
        return;
      }
      const same = textAt(first.json, 'file', 'id') === textAt(second.json, 'file', 'id');
      assertConforms(second, same, 'The second response has another file.');
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
      assertConforms(answer, succeeded(answer), `The response has status ${answer.status}.`);
      assertConforms(answer, textAt(answer.json, 'status') === 'cancelled', `Its status is ${String(valueAt(answer.json, 'status'))}.`); // prettier-ignore
    },
  }),
  check('uploads.cancel', 'completed', {
    title: 'A completed upload cannot be cancelled',
    section: 'companion',
    certainty: 'likely',
    needs: [...needs, 'uploads.complete'],
    run: async (world) =>
      refusedByState(world, { method: 'POST', path: `/uploads/${(await completed(world)).upload}/cancel` }),
  }),
];
