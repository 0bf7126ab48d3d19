import type { VideoCreateFields } from '@modelwire/schema/types';
import { VIDEO_REFERENCE_MAX_BYTES } from '@modelwire/schema';
import { invalid } from '../../errors.ts';
import { singleChunk, writeBlob } from '../../media/files/storage.ts';
import { findStoredFile, readAll } from '../../media/files/stored-file.ts';
import { checkImage, imageLimits, imageTooLarge, readImage } from '../../media/images/read-image.ts';
import type { InputLoading, LoadedImage } from '../../media/images/read-image.ts';
import type { ByteReservation } from '../../limits/byte-budget.ts';
import type { ServerContext } from '../../context.ts';
import type { VideoContent } from '@modelwire/ports';
import type { Call } from '../../call.ts';

const limits = { ...imageLimits, maxBytes: VIDEO_REFERENCE_MAX_BYTES };

/** The reference image, from a file of the form, a file ID or a URL; validated, and stored for this video only. */
export async function inputReference(
  call: Call<VideoCreateFields>,
  server: ServerContext,
  memory: ByteReservation,
): Promise<VideoContent | undefined> {
  const { signal } = call.client;
  const formFile = call.files.get('input_reference');
  const reference = call.body.input_reference;
  if (formFile && reference)
    throw invalid('input_reference', "Invalid 'input_reference': give a file or a reference, not both.");
  if (formFile) {
    const bytes = await readAll([formFile.segment], server, signal);
    const { mediaType } = checkImage(bytes, 'input_reference', limits);
    return { mediaType, content: [formFile.segment] };
  }
  if (!reference) return undefined;
  const loading = { call, server, memory };
  const image =
    reference.file_id === undefined
      ? await readImage(reference.image_url ?? '', 'input_reference.image_url', loading, limits)
      : await fromFile(reference.file_id, 'input_reference.file_id', loading);
  const content = [await writeBlob(server, singleChunk(image.bytes), signal)];
  return { mediaType: image.mediaType, content };
}

async function fromFile(id: string, param: string, { call, server }: InputLoading): Promise<LoadedImage> {
  const { file, content } = await findStoredFile(id, param, call, server);
  if (file.bytes > limits.maxBytes) throw imageTooLarge(param, limits.maxBytes);
  return checkImage(await readAll(content, server, call.client.signal), param, limits);
}
