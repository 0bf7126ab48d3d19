import { isImageDataUrl } from '@modelwire/schema';
import type {
  ChatCompletionAssistantMessageParam,
  ChatCompletionContentPart,
  ChatCompletionContentPartImage,
  ChatCompletionContentPartInputAudio,
  ChatCompletionCreateParams,
  ChatCompletionMessageParam,
} from '@modelwire/schema/types';
import { audioFacts } from '@modelwire/ports/media';
import { fromBase64, toBase64 } from '../base64.ts';
import { invalid } from '../errors.ts';
import { readImage } from '../media/images/read-image.ts';
import { filePart } from './file-parts.ts';
import { imageFileId, storedImagePart } from './image-files.ts';
import type { InputContext } from './preparing.ts';
import { now } from '../sources.ts';

/** Whether a request holds anything that has to be looked at before its engine gets it. Most do not: it costs them nothing. */
export function hasInputs({ messages }: ChatCompletionCreateParams): boolean {
  return messages.some(
    (message) =>
      (message.role === 'user' && typeof message.content !== 'string') ||
      (message.role === 'assistant' && message.audio != null),
  );
}

/**
 * The request with its inputs in place (interface: Message types): files by id are read, and those of text written into the prompt where
 * the engine takes no files; images are fetched where it cannot; speech that was made here is what it said. Audio is checked to be what
 * it says it is. A request where nothing changes is the same object.
 *
 * @throws a 400 or 404 that names the part.
 */
export async function withInputs(preparing: InputContext): Promise<ChatCompletionCreateParams> {
  const requestBody = preparing.call.body;
  let changed = false;
  const messages: ChatCompletionMessageParam[] = [];
  for (const [index, message] of requestBody.messages.entries()) {
    const made = await prepareMessage(message, `messages[${index}]`, preparing);
    changed ||= made !== message;
    messages.push(made);
  }
  return changed ? { ...requestBody, messages } : requestBody;
}

async function prepareMessage(
  message: ChatCompletionMessageParam,
  path: string,
  preparing: InputContext,
): Promise<ChatCompletionMessageParam> {
  if (message.role === 'assistant') return withTranscript(message, path, preparing);
  if (message.role !== 'user' || typeof message.content === 'string') return message;
  let changed = false;
  const content: ChatCompletionContentPart[] = [];
  for (const [index, part] of message.content.entries()) {
    const made = await preparePart(part, `${path}.content[${index}]`, preparing);
    changed ||= made !== part;
    content.push(made);
  }
  return changed ? { ...message, content } : message;
}

async function preparePart(
  part: ChatCompletionContentPart,
  path: string,
  preparing: InputContext,
): Promise<ChatCompletionContentPart> {
  switch (part.type) {
    case 'text':
      return part;
    case 'image_url': {
      const id = imageFileId(part.image_url.url);
      if (id !== undefined) return storedImagePart(part, { id, param: `${path}.image_url.file_id` }, preparing);
      return inlineImage(part, `${path}.image_url.url`, preparing);
    }
    case 'input_audio':
      checkAudio(part, `${path}.input_audio`);
      return part;
    case 'file':
      return filePart(part, `${path}.file`, preparing);
  }
}

/** An image on the web as a data URL, for an engine that fetches none. Such an engine gets only what is an image. */
async function inlineImage(
  part: ChatCompletionContentPartImage,
  param: string,
  { call, server, model, reserveMemory }: InputContext,
): Promise<ChatCompletionContentPartImage> {
  const { url } = part.image_url;
  const { fetchImage } = server.options;
  // A server that fetches no images lets no engine fetch them for it.
  if (model.capabilities.image_sources.includes('web') && (fetchImage || isImageDataUrl(url))) return part;
  const { signal } = call.client;
  const { mediaType, bytes } = await readImage(url, {
    param,
    signal,
    fetchImage,
    reserve: reserveMemory,
    queue: server.imageFetches,
  });
  if (isImageDataUrl(url)) return part;
  const data = toBase64(bytes);
  reserveMemory(data.length - bytes.length);
  return { ...part, image_url: { ...part.image_url, url: `data:${mediaType};base64,${data}` } };
}

/** @throws a 400 for what is not the audio that its format says. */
function checkAudio({ input_audio: { data, format } }: ChatCompletionContentPartInputAudio, path: string): void {
  const facts = audioFacts(fromBase64(data));
  if (!facts) {
    throw invalid(
      `${path}.data`,
      `Invalid audio in '${path}.data': the bytes are not a ${format.toUpperCase()} file with sound in it.`,
      'invalid_audio',
    );
  }
  if (facts.format !== format) {
    throw invalid(`${path}.format`, `Invalid '${path}.format': the audio is ${facts.format}, not ${format}.`);
  }
}

/** What was said in speech that was made here, in its place. Speech of an engine is the engine's own affair. */
async function withTranscript(
  message: ChatCompletionAssistantMessageParam,
  path: string,
  { call, server, model }: InputContext,
): Promise<ChatCompletionAssistantMessageParam> {
  if (!message.audio || model.capabilities.parameters.audio !== 'emulated') return message;
  const { audio, ...rest } = message;
  const found = await server.transcripts.find(call.principal.project, audio.id);
  const param = `${path}.audio.id`;
  if (!found) {
    throw invalid(
      param,
      `Invalid '${param}': there is no audio with this id. It has expired, or was not made for this project.`,
      'audio_not_found',
    );
  }
  if (found.expires_at * 1000 <= now()) {
    throw invalid(param, `Invalid '${param}': the audio expired at ${found.expires_at}.`, 'audio_expired');
  }
  // One that was sent back as it came has its words already.
  const hasText = typeof rest.content === 'string' ? rest.content !== '' : rest.content != null;
  return hasText ? rest : { ...rest, content: found.transcript };
}
