import type { Upload, UploadCompleteParams } from '@modelwire/schema/types';
import { invalid, invalidState } from '../../errors.ts';
import { projectStores, blobDeletionDelayMs } from '../../media/files/storage.ts';
import { newFile } from '../../media/files/file-object.ts';
import { readSegments, sizeOf } from '../../media/files/read-segments.ts';
import type { ServerContext } from '../../context.ts';
import type { BlobSegment, UploadRecord } from '@modelwire/ports';
import type { Call } from '../../call.ts';
import type { JsonReply } from '../../http/reply.ts';
import { md5Of } from './md5.ts';
import { findUpload, notPending, statusOf, uploadsOf } from './find-upload.ts';
import { nowInSeconds } from '../../clock.ts';
import type { Handlers } from '../../http/implement.ts';

/**
 * POST /uploads/{upload_id}/complete (API: Complete upload). No bytes are copied: the file refers to the parts in order. Repeating
 * the request with the same parts returns the same response; a failure leaves the upload unchanged.
 */
export const completeUpload: Handlers['uploads.complete'] = async (call, server) => {
  const { part_ids: partIds } = call.body;
  const record = await findUpload(call, server);
  const { upload, mediaType, fileExpiresAfter: expiresAfter } = record;
  if (statusOf(record, server) !== 'pending') return repeatedCompletion(call, server, record);

  const now = nowInSeconds(server.clock);
  let content: readonly BlobSegment[];
  try {
    content = await checkedContent(call, server, upload);
  } catch (error) {
    // If the upload has ended in the meantime, parts are missing for that reason.
    const found = await findUpload(call, server);
    if (statusOf(found, server) === 'pending') throw error;
    return repeatedCompletion(call, server, found);
  }

  const file = newFile(server, {
    filename: upload.filename,
    purpose: upload.purpose,
    mediaType,
    content,
    expiresAfter,
  });
  const uploads = uploadsOf(call, server);
  const end = { now, partIds, file, dueAfterMs: blobDeletionDelayMs };
  const done = await server.storageQuota.write(call.principal, (limit) =>
    uploads.complete(upload.id, { ...end, ...limit }),
  );
  if (!done) return repeatedCompletion(call, server, await findUpload(call, server));
  server.options.observer?.fileStored?.({ source: 'upload', bytes: upload.bytes });
  return { status: 200, body: { ...upload, status: 'completed', file: file.file } };
};

/** The upload has already ended. A request for the same completion gets the same response. */
async function repeatedCompletion(
  call: Call<UploadCompleteParams>,
  server: ServerContext,
  record: UploadRecord,
): Promise<JsonReply<Upload>> {
  const { upload } = record;
  const status = statusOf(record, server);
  if (status !== 'completed') return notPending(status);
  const completedPartIds = await uploadsOf(call, server).completedWith(upload.id);
  const { part_ids: requestedPartIds } = call.body;
  if (
    completedPartIds.length !== requestedPartIds.length ||
    completedPartIds.some((id, index) => id !== requestedPartIds[index])
  ) {
    throw invalidState('The upload is completed already, with other parts or in another order.');
  }
  await checkMd5Again(upload.file?.id, call, server);
  return { status: 200, body: upload };
}

/** The bytes of the listed parts, checked against the declared size and checksum. */
async function checkedContent(
  call: Call<UploadCompleteParams>,
  server: ServerContext,
  { id, bytes }: UploadRecord['upload'],
) {
  const { md5 } = call.body;
  const content = await contentOf(call, server, id);
  checkBytes(content, bytes);
  if (md5 !== undefined) await checkMd5(content, md5, call, server);
  return content;
}

/** The bytes of the listed parts, in the order of the list. */
async function contentOf(
  call: Call<UploadCompleteParams>,
  server: ServerContext,
  id: string,
): Promise<readonly BlobSegment[]> {
  const { part_ids: partIds } = call.body;
  const first = new Map<string, number>();
  for (const [index, partId] of partIds.entries()) {
    const before = first.get(partId);
    if (before !== undefined) throw invalid(`part_ids[${index}]`, `The part is already listed at part_ids[${before}].`);
    first.set(partId, index);
  }
  const parts = await uploadsOf(call, server).parts(id, partIds);
  const segments = new Map(parts.map(({ part, segment }) => [part.id, segment]));
  return partIds.map((partId, index) => {
    const segment = segments.get(partId);
    if (segment) return segment;
    throw invalid(
      `part_ids[${index}]`,
      `Invalid value for 'part_ids[${index}]': the upload has no part '${partId.slice(0, 100)}'.`,
    );
  });
}

function checkBytes(content: readonly BlobSegment[], declared: number): void {
  const bytes = sizeOf(content);
  if (bytes === declared) return;
  throw invalid(
    'part_ids',
    `The listed parts have ${bytes} bytes in total, but the upload declared ${declared} bytes.`,
  );
}

/** The checksum is checked also for a repeated request. If the file was deleted since, there is nothing to check. */
async function checkMd5Again(
  file: string | undefined,
  call: Call<UploadCompleteParams>,
  server: ServerContext,
): Promise<void> {
  const { md5 } = call.body;
  if (md5 === undefined || file === undefined) return;
  const record = await projectStores(call, server).files.get(file);
  if (record) await checkMd5(record.content, md5, call, server);
}

async function checkMd5(
  content: readonly BlobSegment[],
  expected: string,
  { client }: Call<unknown>,
  server: ServerContext,
) {
  const bytes = sizeOf(content);
  const source = readSegments(server, content, { start: 0, end: bytes }, { reusesMemory: true });
  const md5 = await md5Of(source, { bytes, signal: client.signal, queue: server.checksumQueue });
  if (md5 === expected.toLowerCase()) return;
  throw invalid('md5', `The bytes of the listed parts have the checksum ${md5}, not the one that was given.`);
}
