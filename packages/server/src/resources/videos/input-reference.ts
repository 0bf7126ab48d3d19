import type { VideoCreateFields } from '@modelwire/schema/types';
import { VIDEO_REFERENCE_MAX_BYTES } from '@modelwire/schema';
import { invalid, notFound } from '../../errors.ts';
import { projectStores, writeBlob } from '../../media/files/storage.ts';
import { hasExpired } from '../../media/files/file-object.ts';
import { readSegments, sizeOf } from '../../media/files/read-segments.ts';
import { checkImage, imageLimits, readImage } from '../../media/images/read-image.ts';
import type { LoadedImage } from '../../media/images/read-image.ts';
import type { ByteReservation } from '../../limits/byte-budget.ts';
import type { ServerContext } from '../../context.ts';
import type { BlobSegment, VideoContent } from '@modelwire/ports';
import type { Call } from '../../call.ts';

const limits = { ...imageLimits, maxBytes: VIDEO_REFERENCE_MAX_BYTES };

/** The reference image, from a file of the form, a file ID or a URL; validated, and stored for this video only. */
export async function inputReference(
  call: Call<VideoCreateFields>,
  server: ServerContext,
  memory: ByteReservation,
): Promise<VideoContent | undefined> {
  const formFile = call.files.get('input_reference');
  const reference = call.body.input_reference;
  if (formFile && reference)
    throw invalid('input_reference', "Invalid 'input_reference': give a file or a reference, not both.");
  if (formFile) {
    const { mediaType } = checkImage(await readAll([formFile.segment], server), 'input_reference', limits);
    return { mediaType, content: [formFile.segment] };
  }
  if (!reference) return undefined;
  const image =
    reference.file_id === undefined
      ? await fromUrl(reference.image_url ?? '', call, server, (bytes) => memory.acquireNow(bytes))
      : await fromFile(reference.file_id, call, server);
  return {
    mediaType: image.mediaType,
    content: [await writeBlob(server, singleChunkStream(image.bytes), call.client.signal)],
  };
}

function fromUrl(
  url: string,
  { client }: Pick<Call, 'client'>,
  server: ServerContext,
  reserve: (bytes: number) => void,
): Promise<LoadedImage> {
  const { fetchImage } = server.options;
  const { signal } = client;
  const param = 'input_reference.image_url';
  return readImage(url, { param, signal, fetchImage, reserve, queue: server.imageFetchQueue, limits });
}

async function fromFile(id: string, call: Pick<Call, 'principal'>, server: ServerContext): Promise<LoadedImage> {
  const param = 'input_reference.file_id';
  const record = await projectStores(call, server).files.get(id);
  if (!record || hasExpired(record.file, server)) throw notFound('file', id, param);
  if (record.file.bytes > limits.maxBytes) {
    throw invalid(param, `Invalid image in '${param}': it is larger than ${limits.maxBytes} bytes.`, 'image_too_large');
  }
  return checkImage(await readAll(record.content, server), param, limits);
}

/** The caller limits the size to `VIDEO_REFERENCE_MAX_BYTES`. */
export async function readAll(
  content: readonly BlobSegment[],
  server: Pick<ServerContext, 'options'>,
): Promise<Uint8Array> {
  const bytes = new Uint8Array(sizeOf(content));
  let at = 0;
  for await (const piece of readSegments(server, content)) {
    bytes.set(piece, at);
    at += piece.byteLength;
  }
  return bytes;
}

function singleChunkStream(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(bytes);
      controller.close();
    },
  });
}
