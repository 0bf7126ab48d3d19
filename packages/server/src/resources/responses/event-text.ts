import type { ResponseStreamEvent } from '@modelwire/schema/types';
import { padding, utf8Length } from '../../streaming/obfuscation.ts';

/** Bytes within which deltas cannot be told apart by their size. */
const paddingStep = 64;
const paddingStepWithLogprobs = 1024;

/** An event as it is sent. Deltas are padded with random characters, so that sizes do not tell their contents. */
export function eventText(event: ResponseStreamEvent, isObfuscated: boolean): string {
  const json = JSON.stringify(event);
  if (!isObfuscated || !('delta' in event)) return `event: ${event.type}\ndata: ${json}\n\n`;
  const hasLogprobs = 'logprobs' in event && event.logprobs.length > 0;
  const pad = padding(utf8Length(json), 0, hasLogprobs ? paddingStepWithLogprobs : paddingStep);
  return `event: ${event.type}\ndata: ${json.slice(0, -1)},"obfuscation":"${pad}"}\n\n`;
}
