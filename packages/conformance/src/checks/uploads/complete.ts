import { check } from '../../check.ts';
import type { Check } from '../../check.ts';
import { isSuccess } from '../../exchange/response.ts';
import type { CompleteResponse } from '../../exchange/response.ts';
import { describeValue, textAt, valueAt } from '../../exchange/value.ts';
import { newPart, newUpload, partCall } from '../../context/create-objects.ts';
import type { RunContext } from '../../context/run-context.ts';
import { rejectionChecks } from '../refusal.ts';
import { assertConforms, assertFields, assertSuccess, Skip, successful } from '../../verdict.ts';

const COMPLETE = 'uploads.complete';
const section = 'Complete upload';
const needs = ['uploads.create', 'uploads.parts.create'] as const;

const PARTS = ['Rivers ', 'run to ', 'the sea.'] as const;
const CONTENT = PARTS.join('');
/** Checksum of the pieces in order. */
const MD5 = 'eb4e28f9596c1fdf94a653ffd07c309b';

const complete = (context: RunContext, upload: string, body: object): Promise<CompleteResponse> =>
  context.send({ method: 'POST', path: `/uploads/${upload}/complete`, body });

/** An upload whose parts were sent in another order than that of the file. */
async function uploadOutOfOrder(
  context: RunContext,
): Promise<{ readonly upload: string; readonly part_ids: readonly string[] }> {
  const upload = await newUpload(context, CONTENT.length);
  const third = await newPart(context, upload, PARTS[2]);
  const first = await newPart(context, upload, PARTS[0]);
  const second = await newPart(context, upload, PARTS[1]);
  return { upload, part_ids: [first, second, third] };
}

async function completeOutOfOrder(context: RunContext): Promise<CompleteResponse> {
  const { upload, part_ids } = await uploadOutOfOrder(context);
  return successful(complete(context, upload, { part_ids }));
}

/** Completing an upload. */
export const uploadCompleteChecks: readonly Check[] = [
  check(COMPLETE, 'object', {
    title: 'A completed upload has the status completed and its file',
    section: 'Upload object',
    weight: 3,
    needs,
    async run(context) {
      const response = await completeOutOfOrder(context);
      assertFields(response, { status: 'completed' });
      const file = valueAt(response.json, 'file');
      assertConforms(response, textAt(file, 'object') === 'file', 'It has no file.');
      assertConforms(
        response,
        valueAt(file, 'bytes') === CONTENT.length,
        `The file has ${describeValue(valueAt(file, 'bytes'))} bytes.`,
      );
      for (const field of ['filename', 'purpose']) {
        assertConforms(
          response,
          valueAt(file, field) === valueAt(response.json, field),
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
    async run(context) {
      const response = await completeOutOfOrder(context);
      const file = textAt(response.json, 'file', 'id');
      if (file === undefined) throw new Skip('there is no file');
      const content = await context.send({ method: 'GET', path: `/files/${file}/content` });
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
    async run(context) {
      const response = await completeOutOfOrder(context);
      const file = await context.send({ method: 'GET', path: `/files/${textAt(response.json, 'file', 'id') ?? ''}` });
      assertSuccess(file);
    },
  }),
  check(COMPLETE, 'md5.right', {
    title: 'A right md5 is taken',
    section,
    weight: 2,
    needs,
    async run(context) {
      const { upload, part_ids } = await uploadOutOfOrder(context);
      const response = await complete(context, upload, { part_ids, md5: MD5 });
      assertSuccess(response);
    },
  }),
  ...rejectionChecks(COMPLETE, 'md5.wrong', {
    title: 'A wrong md5 is refused',
    section,
    weight: 3,
    field: 'md5',
    needs,
    call: async (context) => {
      const { upload, part_ids } = await uploadOutOfOrder(context);
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
      call: async (context) => {
        const upload = await newUpload(context, bytes);
        const part = await context.send(partCall(upload, text));
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
    call: async (context) => {
      const { upload, part_ids } = await uploadOutOfOrder(context);
      return { method: 'POST', path: `/uploads/${upload}/complete`, body: { part_ids: part_ids.slice(1) } };
    },
  }),
  ...rejectionChecks(COMPLETE, 'refuses.unknown', {
    title: 'Rejects an unknown part',
    section,
    field: 'part_ids',
    statuses: [404],
    needs,
    call: async (context) => {
      const { upload, part_ids } = await uploadOutOfOrder(context);
      return {
        method: 'POST',
        path: `/uploads/${upload}/complete`,
        body: { part_ids: [...part_ids.slice(1), 'part_none'] },
      };
    },
  }),
  ...rejectionChecks(COMPLETE, 'refuses.foreign', {
    title: 'Rejects a part of another upload',
    section,
    field: 'part_ids',
    statuses: [404],
    needs,
    call: async (context) => {
      const [upload, other] = [await newUpload(context, 3), await newUpload(context, 3)];
      const part = await newPart(context, other, 'abc');
      return { method: 'POST', path: `/uploads/${upload}/complete`, body: { part_ids: [part] } };
    },
  }),
  ...rejectionChecks(COMPLETE, 'refuses.none', {
    title: 'Rejects an empty list of parts',
    section,
    certainty: 'likely',
    field: 'part_ids',
    needs,
    call: async (context) => ({
      method: 'POST',
      path: `/uploads/${await newUpload(context, 3)}/complete`,
      body: { part_ids: [] },
    }),
  }),
  check(COMPLETE, 'still-open', {
    title: 'A rejected completion leaves the upload pending, and a valid one then succeeds',
    section: 'States and transitions',
    certainty: 'likely',
    needs,
    async run(context) {
      const { upload, part_ids } = await uploadOutOfOrder(context);
      const invalid = await complete(context, upload, { part_ids: part_ids.slice(1) });
      if (isSuccess(invalid)) throw new Skip('the invalid one was not rejected');
      const response = await complete(context, upload, { part_ids });
      assertSuccess(response);
    },
  }),
];
