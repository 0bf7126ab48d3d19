import type { TokenLogprob } from '@modelwire/schema/types';
import type { ChatEvent } from '@modelwire/ports';

/** The field of the tokens of log probabilities. They repeat the text of their event, unless the engine sends them apart. */
export const logprobsField = 'logprobs';

/**
 * All text of an event that a client will see, by the field that it extends. Of log probabilities that is the generated tokens;
 * alternatives to them are released together with their event.
 */
export function* generatedTexts(
  event: Exclude<ChatEvent, { readonly type: 'usage' | 'meta' }>,
): Generator<readonly [field: string, text: string]> {
  switch (event.type) {
    case 'text':
    case 'refusal':
      yield [event.type, event.text];
      yield* tokensOf(event.logprobs);
      break;
    case 'tool_call':
      yield [`tool_name ${event.index}`, event.name];
      break;
    case 'tool_input':
      yield [`tool_input ${event.index}`, event.text];
      break;
    case 'function_call':
      if (event.name !== undefined) yield ['function_name', event.name];
      if (event.text !== undefined) yield ['function_arguments', event.text];
      break;
    case 'audio':
      if (event.transcript !== undefined) yield ['transcript', event.transcript];
      yield* tokensOf(event.logprobs);
      break;
    case 'annotations':
      for (const { url_citation: cited } of event.annotations)
        if (cited) yield ['annotations', `${cited.title} ${cited.url}\n`];
      break;
    case 'extra':
      yield* textsIn(event.delta);
      break;
    case 'echo':
      // The prompt is moderated as input.
      break;
    case 'finish':
      break;
  }
}

function* tokensOf(logprobs: readonly TokenLogprob[] | undefined): Generator<readonly [field: string, text: string]> {
  if (logprobs && logprobs.length > 0) yield [logprobsField, logprobs.map(({ token }) => token).join('')];
}

/** Every text of a JSON value at any depth, by the path to it. A value without text has an empty one, so that its path is moderated. */
function* textsIn(delta: unknown): Generator<readonly [field: string, text: string]> {
  const pendingValues: { readonly path: string; readonly value: unknown }[] = [{ path: 'extra', value: delta }];
  for (let next = pendingValues.pop(); next; next = pendingValues.pop()) {
    const { path, value } = next;
    const inner = membersOf(path, value);
    if (inner.length === 0) yield [path, typeof value === 'string' ? value : ''];
    for (const member of inner.reverse()) pendingValues.push(member);
  }
}

/** The members of an object or an array with their paths; none for any other value. */
function membersOf(path: string, value: unknown): { readonly path: string; readonly value: unknown }[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.map((item: unknown) => ({ path: `${path}[]`, value: item }));
  return Object.entries(value).map(([name, member]: [string, unknown]) => ({ path: `${path} ${name}`, value: member }));
}
