import { InputError } from '@modelwire/core';
import type {
  ChatCompletionContentPartFile,
  ChatCompletionContentPartImage,
  ChatCompletionContentPartInputAudio,
  ImageDetail,
  InputAudioFormat,
} from '@modelwire/schema/types';
import { encodeBase64 } from './base64.ts';
import { mediaTypeOf } from './media-type.ts';

/** A `File` is a `Blob` too. */
export type PartBytes = Blob | ArrayBuffer | Uint8Array;

export interface ImagePartOptions {
  /** `auto` unless said. */
  readonly detail?: ImageDetail;
  /** The media type. Default: the blob's, else what the first bytes tell. */
  readonly type?: string;
}

export interface FilePartOptions {
  /** Default: the name of a `File`. */
  readonly filename?: string;
  /** The media type. Default: the blob's, else what the first bytes tell. */
  readonly type?: string;
}

export interface AudioPartOptions {
  /** Default: by the blob's type, else by the first bytes. */
  readonly format?: InputAudioFormat;
}

/** An image for a user message (interface: image part): a URL as it is, all else as a data URL. */
export async function imagePart(
  source: PartBytes | URL,
  { detail, type }: ImagePartOptions = {},
): Promise<ChatCompletionContentPartImage> {
  let url: string;
  if (source instanceof URL) url = source.href;
  else {
    const read = await readBytes(source, type);
    if (read.type?.startsWith('image/') !== true)
      throw new InputError('These bytes are no known image: give its type.');
    url = dataURL(read.type, read.bytes);
  }
  return { type: 'image_url', image_url: { url, ...(detail !== undefined && { detail }) } };
}

/** A file for a user message (interface: file part): text is the id of an uploaded file, all else goes in the message. */
export async function filePart(
  source: PartBytes | string,
  { filename, type }: FilePartOptions = {},
): Promise<ChatCompletionContentPartFile> {
  const name = filename ?? (typeof source === 'object' && 'name' in source ? String(source.name) : undefined);
  const named = name !== undefined && { filename: name };
  if (typeof source === 'string') return { type: 'file', file: { file_id: source, ...named } };
  const read = await readBytes(source, type);
  return { type: 'file', file: { file_data: dataURL(read.type ?? 'application/octet-stream', read.bytes), ...named } };
}

/** Sound for a user message (interface: audio part): wav or mp3. */
export async function audioPart(
  source: PartBytes,
  { format }: AudioPartOptions = {},
): Promise<ChatCompletionContentPartInputAudio> {
  const { bytes, type } = await readBytes(source);
  const known = format ?? FORMATS.get(type ?? '') ?? FORMATS.get(mediaTypeOf(bytes) ?? '');
  if (known === undefined) throw new InputError('This sound is neither known as wav nor as mp3: give its format.');
  return { type: 'input_audio', input_audio: { data: encodeBase64(bytes), format: known } };
}

const FORMATS: ReadonlyMap<string, InputAudioFormat> = new Map([
  ['audio/wav', 'wav'],
  ['audio/wave', 'wav'],
  ['audio/x-wav', 'wav'],
  ['audio/vnd.wave', 'wav'],
  ['audio/mpeg', 'mp3'],
  ['audio/mp3', 'mp3'],
]);

async function readBytes(
  source: PartBytes,
  given?: string,
): Promise<{ readonly bytes: Uint8Array; readonly type: string | undefined }> {
  const isBlob = 'arrayBuffer' in source;
  const data = isBlob ? await source.arrayBuffer() : source;
  const bytes = data instanceof Uint8Array ? data : new Uint8Array(data);
  // Parameters such as a charset tell a server nothing here.
  const own = isBlob ? source.type.replace(/;.*/, '').trim() : '';
  return { bytes, type: given ?? (own === '' ? mediaTypeOf(bytes) : own) };
}

function dataURL(type: string, bytes: Uint8Array): string {
  return `data:${type};base64,${encodeBase64(bytes)}`;
}
