import type { ModerationCreateParams, ModerationMultiModalInput } from '@modelwire/schema/types';
import { admit, runAdmitted } from '../../admission/admit.ts';
import { noSlot, noTokens, notInspected } from '../../admission/work.ts';
import { invalid, unsupportedValue } from '../../errors.ts';
import { requireModelOfWork } from '../../generation/require-model.ts';
import { readImage } from '../../media/images/read-image.ts';
import type { InputLoading } from '../../media/images/read-image.ts';
import type { ModerationInput, ModerationPart, ModerationVerdict } from '@modelwire/ports';
import { reportUpstreamTo } from '../../call.ts';
import { moderateInputs, observedModeration } from '../../streaming/transforms/moderate-inputs.ts';
import {
  flaggedCategories,
  moderationResult,
  unjudgedCategories,
} from '../../streaming/transforms/moderation-result.ts';
import type { Handlers } from '../../http/implement.ts';

/** Maximum number of characters of one text, and of all texts of a request: a model reads them completely. */
const maxTextLength = 100_000;
const maxLength = 1_000_000;

/** Maximum bytes of all images of one request, which are in memory together. Fetched images are not part of the request body and its limit. */
const maxImageBytes = 64 * 1024 * 1024;

/** POST /moderations (API: Create moderation). */
export const createModeration: Handlers['moderations.create'] = async (call, server) => {
  const { input, model: id = 'omni-moderation-latest' } = call.body;
  const admission = await admit(call, server, {
    isStored: false,
    find: () => requireModelOfWork('moderation', id, server),
    async load({ resolved }, { memory }) {
      const { model } = resolved;
      const supportsImages = model.inputs.includes('image');
      const inputs = await inputsOf(input, supportsImages, { call, server, memory });
      const cost = server.prices.costOf(model.id, undefined) ?? 0;
      return { demand: { kind: 'cost', cost }, usage: noTokens, resolved, inputs };
    },
    inspect: notInspected,
    slot: noSlot,
  });
  return runAdmitted(admission, async ({ resolved, inputs }) => {
    const { model } = resolved;
    const isFlagged = (some: readonly ModerationVerdict[]): boolean =>
      some.some((verdict) => flaggedCategories(verdict).length > 0);
    const verdicts = await observedModeration(call.observation, { model: model.id, target: 'request' }, isFlagged, () =>
      moderateInputs(resolved, inputs, call, server, {
        reportUpstream: reportUpstreamTo(call.logRecord),
        onStart: () => admission.reach(),
      }),
    );
    const unjudged = unjudgedCategories(verdicts);
    if (unjudged.length > 0) call.responseHeaders['x-modelwire-unjudged-categories'] = unjudged.join(', ');
    return {
      status: 200,
      body: {
        id: server.createId('modr-'),
        model: id,
        results: verdicts.map((verdict) => moderationResult(verdict, !model.inputs.includes('image'))),
      },
    };
  });
};

/** A text or a list of texts has one result for each text; a list of parts is a single input. */
async function inputsOf(
  input: ModerationCreateParams['input'],
  supportsImages: boolean,
  loading: InputLoading,
): Promise<readonly ModerationInput[]> {
  checkLengths(input);
  if (typeof input === 'string') return [textInput(input)];
  checkImages(input, loading.server.options.maxModerationImages);
  const texts: ModerationInput[] = [];
  const parts: ModerationPart[] = [];
  let remainingBytes = maxImageBytes;
  for (const [index, item] of input.entries()) {
    if (typeof item === 'string') texts.push(textInput(item));
    else {
      const part = await partOf(item, index, supportsImages, loading);
      if (part.type === 'image') remainingBytes -= part.bytes.byteLength;
      if (remainingBytes < 0) throw imagesTooLarge(index);
      parts.push(part);
    }
  }
  return parts.length > 0 ? [parts] : texts;
}

/** @throws a 400 that names the limit. */
function checkImages(input: readonly (string | ModerationMultiModalInput)[], limit: number): void {
  const images = input.filter((item) => typeof item !== 'string' && item.type === 'image_url').length;
  if (images <= limit) return;
  const message = `Invalid 'input': expected at most ${limit} images, but got ${images}. Send the rest in further requests.`;
  throw invalid('input', message, 'array_above_max_length');
}

/** @throws a 400 that names the text that is too long. */
function checkLengths(input: ModerationCreateParams['input']): void {
  let length = 0;
  for (const [index, item] of (typeof input === 'string' ? [input] : input).entries()) {
    if (typeof item !== 'string' && item.type === 'image_url') continue;
    const text = typeof item === 'string' ? item : item.text;
    const at = typeof item === 'string' ? `input[${index}]` : `input[${index}].text`;
    checkLength(text.length, maxTextLength, typeof input === 'string' ? 'input' : at);
    length += text.length;
  }
  checkLength(length, maxLength, 'input');
}

function checkLength(length: number, max: number, param: string): void {
  if (length <= max) return;
  const message = `Invalid '${param}': at most ${max} characters are allowed, not ${length}.`;
  throw invalid(param, message, 'string_above_max_length');
}

const textInput = (text: string): ModerationInput => [{ type: 'text', text }];

async function partOf(
  part: ModerationMultiModalInput,
  index: number,
  supportsImages: boolean,
  loading: InputLoading,
): Promise<ModerationPart> {
  if (part.type === 'text') return part;
  const param = `input[${index}].image_url.url`;
  if (!supportsImages) {
    throw unsupportedValue(
      `input[${index}].type`,
      `Invalid value for 'input[${index}].type': this model supports text only.`,
    );
  }
  return { type: 'image', ...(await readImage(part.image_url.url, param, loading)) };
}

function imagesTooLarge(index: number) {
  const param = `input[${index}].image_url.url`;
  return invalid(
    param,
    `Invalid image in '${param}': the images so far are larger than ${maxImageBytes} bytes together.`,
    'image_too_large',
  );
}
