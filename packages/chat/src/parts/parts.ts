import { InputError } from '@modelwire/core';
import type {
  ChatCompletionContentPartFile,
  ChatCompletionContentPartImage,
  ChatCompletionContentPartInputAudio,
  ImageDetail,
  InputAudioFormat,
} from '@modelwire/schema/types';
import { encodeBase64 } from './base64.ts';
import { detectMediaType } from './media-type.ts';

/** Bytes of a part; also a `File`, which is a `Blob`. */
export type PartBytes = Blob | ArrayBuffer | Uint8Array;

export interface ImagePartOptions {
  /** Default `auto`. */
  readonly detail?: ImageDetail;
  /** The media type. Default: the blob's, else detected from the first bytes. */
  readonly type?: string;
}

export interface FilePartOptions {
  /** Default: the name of a `File`. */
  readonly filename?: string;
  /** The media type. Default: the blob's, else detected from the first bytes. */
  readonly type?: string;
}

export interface AudioPartOptions {
  /** Default: detected from the blob's type, else from the first bytes. */
  readonly format?: InputAudioFormat;
}

/** An image part for a user message: a URL unchanged, bytes as a data URL. */
export async function imagePart(
  source: PartBytes | URL,
  { detail, type }: ImagePartOptions = {},
): Promise<ChatCompletionContentPartImage> {
  let url: string;
  if (source instanceof URL) url = source.href;
  else {
    const media = await readBytes(source, type);
    if (media.type?.startsWith('image/') !== true) throw new InputError('Unknown image format. Set the option type.');
    url = dataURL(media.type, media.bytes);
  }
  return { type: 'image_url', image_url: { url, ...(detail !== undefined && { detail }) } };
}

/** A file part for a user message: the ID of an uploaded file, or bytes that are sent in the message. */
export async function filePart(
  source: PartBytes | string,
  { filename, type }: FilePartOptions = {},
): Promise<ChatCompletionContentPartFile> {
  const name = filename ?? (typeof source === 'object' && 'name' in source ? String(source.name) : undefined);
  const named = name !== undefined && { filename: name };
  if (typeof source === 'string') return { type: 'file', file: { file_id: source, ...named } };
  const media = await readBytes(source, type);
  return {
    type: 'file',
    file: { file_data: dataURL(media.type ?? 'application/octet-stream', media.bytes), ...named },
  };
}

/** An audio part for a user message: WAV or MP3. */
export async function audioPart(
  source: PartBytes,
  { format }: AudioPartOptions = {},
): Promise<ChatCompletionContentPartInputAudio> {
  const { bytes, type } = await readBytes(source);
  const detected = format ?? FORMATS.get(type ?? '') ?? FORMATS.get(detectMediaType(bytes) ?? '');
  if (detected === undefined) throw new InputError('Unknown audio format. Set the option format to wav or mp3.');
  return { type: 'input_audio', input_audio: { data: encodeBase64(bytes), format: detected } };
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
  typeOption?: string,
): Promise<{ readonly bytes: Uint8Array; readonly type: string | undefined }> {
  const isBlob = 'arrayBuffer' in source;
  const data = isBlob ? await source.arrayBuffer() : source;
  const bytes = data instanceof Uint8Array ? data : new Uint8Array(data);
  // Without parameters such as a charset.
  const blobType = isBlob ? source.type.replace(/;.*/, '').trim() : '';
  return { bytes, type: typeOption ?? (blobType === '' ? detectMediaType(bytes) : blobType) };
}

function dataURL(type: string, bytes: Uint8Array): string {
  return `data:${type};base64,${encodeBase64(bytes)}`;
}
