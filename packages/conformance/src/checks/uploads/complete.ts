import { check } from '../../check.ts';
import type { Check } from '../../check.ts';
import { isSuccess } from '../../exchange/answer.ts';
import type { Answer } from '../../exchange/answer.ts';
import { textAt, valueAt } from '../../exchange/value.ts';
import { newPart, newUpload, partCall } from '../../world/makers.ts';
import type { World } from '../../world/world.ts';
import { rejectionChecks } from '../refusal.ts';
import { assertConforms, assertSuccess, Skip } from '../../verdict.ts';

const COMPLETE = 'uploads.complete';
const section = 'Complete upload';
const needs = ['uploads.create', 'uploads.parts.create'] as const;

const PARTS = ['Rivers ', 'run to ', 'the sea.'] as const;
const CONTENT = PARTS.join('');
/** Checksum of the pieces in order. */
const MD5 = 'eb4e28f9596c1fdf94a653ffd07c309b';

const complete = (world: World, upload: string, body: object): Promise<Answer> =>
  world.send({ method: 'POST', path: `/uploads/${upload}/complete`, body });

/** An upload whose parts were sent in another order than that of the file. */
async function uploadOutOfOrder(
  world: World,
): Promise<{ readonly upload: string; readonly part_ids: readonly string[] }> {
  const upload = await newUpload(world, CONTENT.length);
  const third = await newPart(world, upload, PARTS[2]);
  const first = await newPart(world, upload, PARTS[0]);
  const second = await newPart(world, upload, PARTS[1]);
  return { upload, part_ids: [first, second, third] };
}

async function completeOutOfOrder(world: World): Promise<Answer> {
  const { upload, part_ids } = await uploadOutOfOrder(world);
  const answer = await complete(world, upload, { part_ids });
  assertSuccess(answer);
  return answer;
}

/** Completing an upload. */
export const uploadCompleteChecks: readonly Check[] = [
  check(COMPLETE, 'object', {
    title: 'A completed upload has the status completed and its file',
    section: 'Upload object',
    weight: 3,
    needs,
    async run(world) {
      const answer = await completeOutOfOrder(world);
      assertConforms(
        answer,
        textAt(answer.json, 'status') === 'completed',
        `Its status is ${String(textAt(answer.json, 'status'))}.`,
      );
      const file = valueAt(answer.json, 'file');
      assertConforms(answer, textAt(file, 'object') === 'file', 'It has no file.');
      assertConforms(
        answer,
        valueAt(file, 'bytes') === CONTENT.length,
        `The file has ${String(valueAt(file, 'bytes'))} bytes.`,
      );
      for (const field of ['filename', 'purpose']) {
        assertConforms(
          answer,
          valueAt(file, field) === valueAt(answer.json, field),
          `The ${field} of the file differs.`,
        );
      }
    },
  }),
  check(COMPLETE, 'order', {
    title: 'The file has the parts in the order of part_ids',
    section,
    weight: 3,
    needs: [...needs, 'files.content'],
    async run(world) {
      const answer = await completeOutOfOrder(world);
      const file = textAt(answer.json, 'file', 'id');
      if (file === undefined) throw new Skip('there is no file');
      const content = await world.send({ method: 'GET', path: `/files/${file}/content` });
      assertConforms(
        content,
        content.text === CONTENT,
        `The file contains '${content.text.slice(0, 80)}' instead of '${CONTENT}'.`,
      );
    },
  }),
  check(COMPLETE, 'listed', {
    title: 'The file of a completed upload can be retrieved',
    section: 'States and transitions',
    needs: [...needs, 'files.retrieve'],
    async run(world) {
      const answer = await completeOutOfOrder(world);
      const file = await world.send({ method: 'GET', path: `/files/${textAt(answer.json, 'file', 'id') ?? ''}` });
      assertSuccess(file);
    },
  }),
  check(COMPLETE, 'md5.right', {
    title: 'A right md5 is taken',
    section,
    weight: 2,
    needs,
    async run(world) {
      const { upload, part_ids } = await uploadOutOfOrder(world);
      const answer = await complete(world, upload, { part_ids, md5: MD5 });
      assertSuccess(answer);
    },
  }),
  ...rejectionChecks(COMPLETE, 'md5.wrong', {
    title: 'A wrong md5 is refused',
    section,
    weight: 3,
    field: 'md5',
    needs,
    call: async (world) => {
      const { upload, part_ids } = await uploadOutOfOrder(world);
      return { method: 'POST', path: `/uploads/${upload}/complete`, body: { part_ids, md5: '0'.repeat(32) } };
    },
  }),
  ...(
    [
      ['fewer', 'Rejects parts of fewer bytes than declared', 'abc', 5],
      ['more', 'Rejects parts of more bytes than declared', 'abcdefgh', 5],
    ] as const
  ).flatMap(([name, title, text, bytes]) =>
    rejectionChecks(COMPLETE, `refuses.${name}`, {
      title,
      section: 'Errors',
      weight: 3,
      field: ['part_ids', 'data', 'bytes'],
      needs,
      call: async (world) => {
        const upload = await newUpload(world, bytes);
        const part = await world.send(partCall(upload, text));
        // May be rejected as soon as a part exceeds the limit.
        const id = textAt(part.json, 'id');
        return isSuccess(part) && id !== undefined
          ? { method: 'POST', path: `/uploads/${upload}/complete`, body: { part_ids: [id] } }
          : partCall(upload, text);
      },
    }),
  ),
  ...rejectionChecks(COMPLETE, 'refuses.some', {
    title: 'Rejects listed parts of fewer bytes than declared, even if more parts were sent',
    section: 'Errors',
    weight: 2,
    field: 'part_ids',
    needs,
    call: async (world) => {
      const { upload, part_ids } = await uploadOutOfOrder(world);
      return { method: 'POST', path: `/uploads/${upload}/complete`, body: { part_ids: part_ids.slice(1) } };
    },
  }),
  ...rejectionChecks(COMPLETE, 'refuses.unknown', {
    title: 'Rejects an unknown part',
    section,
    field: 'part_ids',
    statuses: [404],
    needs,
    call: async (world) => {
      const { upload, part_ids } = await uploadOutOfOrder(world);
      return { method: 'POST', path: `/uploads/${upload}/complete`, body: { part_ids: [...part_ids.slice(1), 'part_none'] } }; // prettier-ignore
    },
  }),
  ...rejectionChecks(COMPLETE, 'refuses.foreign', {
    title: 'Rejects a part of another upload',
    section,
    field: 'part_ids',
    statuses: [404],
    needs,
    call: async (world) => {
      const [upload, other] = [await newUpload(world, 3), await newUpload(world, 3)];
      const part = await newPart(world, other, 'abc');
      return { method: 'POST', path: `/uploads/${upload}/complete`, body: { part_ids: [part] } };
    },
  }),
  ...rejectionChecks(COMPLETE, 'refuses.none', {
    title: 'Rejects an empty list of parts',
    section,
    certainty: 'likely',
    field: 'part_ids',
    needs,
    call: async (world) => ({ method: 'POST', path: `/uploads/${await newUpload(world, 3)}/complete`, body: { part_ids: [] } }), // prettier-ignore
  }),
  check(COMPLETE, 'still-open', {
    title: 'A rejected completion leaves the upload pending, and a valid one then succeeds',
    section: 'States and transitions',
    certainty: 'likely',
    needs,
    async run(world) {
      const { upload, part_ids } = await uploadOutOfOrder(world);
      const invalid = await complete(world, upload, { part_ids: part_ids.slice(1) });
      if (isSuccess(invalid)) throw new Skip('the invalid one was not rejected');
      const answer = await complete(world, upload, { part_ids });
      assertSuccess(answer);
    },
  }),
];
