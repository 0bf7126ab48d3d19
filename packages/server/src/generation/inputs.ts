import { yieldAfterLarge } from '@modelwire/adapter-kit/internal';
import { isDataUrl } from '@modelwire/schema/internal';
import type {
  ChatCompletionAssistantMessageParam,
  ChatCompletionContentPart,
  ChatCompletionContentPartImage,
  ChatCompletionContentPartInputAudio,
  ChatCompletionCreateParams,
  ChatCompletionMessageParam,
} from '@modelwire/schema/types';
import { readAudioMetadata } from '@modelwire/adapter-kit/media';
import { toBase64 } from '../json/base64.ts';
import { invalid } from '../errors.ts';
import { inlineBase64, plainDataUrl, readInlineData } from '../media/data-url.ts';
import { readImage } from '../media/images/read-image.ts';
import { prepareFilePart } from './file-parts.ts';
import { imageFileId, loadStoredImage } from './image-files.ts';
import type { ChatInputLoading } from './file-parts.ts';

/**
 * Loads the inputs of a request (API: Message types): files by ID are read, and their text is inserted if the engine does not support
 * files; images are fetched if the engine does not fetch them; generated speech is replaced by its transcript. Audio is validated.
 * If nothing changes, the same object is returned.
 *
 * @throws a 400 or 404 that names the part.
 */
export async function loadInputs(
  body: ChatCompletionCreateParams,
  context: ChatInputLoading,
): Promise<ChatCompletionCreateParams> {
  const messages = await prepareEach(body.messages, (message, index) =>
    prepareMessage(message, `messages[${index}]`, context),
  );
  return messages === body.messages ? body : { ...body, messages };
}

/** The items as `prepare` resolves to them, one after the other; the same list if none of them changes. */
async function prepareEach<Item>(
  items: readonly Item[],
  prepare: (item: Item, index: number) => Promise<Item>,
): Promise<readonly Item[]> {
  const prepared: Item[] = [];
  for (const [index, item] of items.entries()) prepared.push(await prepare(item, index));
  return prepared.some((item, index) => item !== items[index]) ? prepared : items;
}

async function prepareMessage(
  message: ChatCompletionMessageParam,
  path: string,
  context: ChatInputLoading,
): Promise<ChatCompletionMessageParam> {
  if (message.role === 'assistant') return replaceAudioByTranscript(message, path, context);
  if (message.role !== 'user' || typeof message.content === 'string') return message;
  const content = await prepareEach(message.content, (part, index) =>
    preparePart(part, `${path}.content[${index}]`, context),
  );
  return content === message.content ? message : { ...message, content };
}

async function preparePart(
  part: ChatCompletionContentPart,
  path: string,
  context: ChatInputLoading,
): Promise<ChatCompletionContentPart> {
  switch (part.type) {
    case 'text':
      return part;
    case 'image_url': {
      const id = imageFileId(part.image_url.url);
      if (id !== undefined) return loadStoredImage(part, { id, param: `${path}.image_url.file_id` }, context);
      return prepareImagePart(part, `${path}.image_url.url`, context);
    }
    case 'input_audio':
      return prepareAudioPart(part, `${path}.input_audio`);
    case 'file':
      return prepareFilePart(part, `${path}.file`, context);
  }
}

/** Validates an image, and fetches it as a data URL for engines that do not fetch images. */
async function prepareImagePart(
  part: ChatCompletionContentPartImage,
  param: string,
  loading: ChatInputLoading,
): Promise<ChatCompletionContentPartImage> {
  const { server, model, memory } = loading;
  const { url } = part.image_url;
  // Without `fetchImage`, engines must not fetch images either.
  const isInline = isDataUrl(url);
  if (model.capabilities.image_sources.includes('web') && (server.options.fetchImage || isInline))
    return withUrl(part, plainDataUrl(url));
  const { mediaType, bytes } = await readImage(url, param, loading);
  if (isInline) {
    await yieldAfterLarge(url.length);
    return withUrl(part, plainDataUrl(url));
  }
  const data = toBase64(bytes);
  memory.acquireNow(data.length - bytes.length);
  return withUrl(part, `data:${mediaType};base64,${data}`);
}

function withUrl(part: ChatCompletionContentPartImage, url: string): ChatCompletionContentPartImage {
  return url === part.image_url.url ? part : { ...part, image_url: { ...part.image_url, url } };
}

/** Audio in bare base64, as engines expect it. @throws a 400 for data that is not audio of the declared format. */
function prepareAudioPart(
  part: ChatCompletionContentPartInputAudio,
  path: string,
): ChatCompletionContentPartInputAudio {
  const { data, format } = part.input_audio;
  const detected = readAudioMetadata(readInlineData(data).bytes);
  if (!detected) {
    throw invalid(
      `${path}.data`,
      `Invalid audio in '${path}.data': the bytes are not a ${format.toUpperCase()} file with audio data.`,
      'invalid_audio',
    );
  }
  if (detected.format !== format) {
    throw invalid(`${path}.format`, `Invalid '${path}.format': the audio is ${detected.format}, not ${format}.`);
  }
  const base64 = inlineBase64(data);
  return base64 === data ? part : { ...part, input_audio: { data: base64, format } };
}

/** Replaces speech that the server synthesized by its transcript. Engines that generate speech receive it unchanged. */
async function replaceAudioByTranscript(
  message: ChatCompletionAssistantMessageParam,
  path: string,
  { call, server, model }: ChatInputLoading,
): Promise<ChatCompletionAssistantMessageParam> {
  if (!message.audio || model.capabilities.parameters.audio !== 'emulated') return message;
  const { audio, ...rest } = message;
  const stored = await server.transcripts.find(call.principal.project, audio.id);
  const param = `${path}.audio.id`;
  if (!stored) {
    throw invalid(
      param,
      `Invalid '${param}': there is no audio with this ID. It has expired, or belongs to another project.`,
      'audio_not_found',
    );
  }
  if (stored.expires_at * 1000 <= server.clock.now()) {
    throw invalid(param, `Invalid '${param}': the audio expired at ${stored.expires_at}.`, 'audio_expired');
  }
  // A message that the client sent back unchanged already contains the transcript.
  const hasText = typeof rest.content === 'string' ? rest.content !== '' : rest.content != null;
  return hasText ? rest : { ...rest, content: stored.transcript };
}
