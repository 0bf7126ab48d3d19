import type { ChatEvent } from '../ports/chat-engine.ts';

/** All text of an event that a caller will see, by the field that it extends. */
export function* generatedTexts(
  event: Exclude<ChatEvent, { readonly type: 'usage' | 'meta' }>,
): Generator<readonly [field: string, text: string]> {
  switch (event.type) {
    case 'text':
    case 'refusal':
      yield [event.type, event.text];
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
      break;
    case 'annotations':
      for (const { url_citation: cited } of event.annotations)
        if (cited) yield ['annotations', `${cited.title} ${cited.url}\n`];
      break;
    case 'extra':
      yield* textsIn(event.delta);
      break;
    case 'finish':
      break;
  }
}

/** Every text of a JSON value at any depth, by the path to it; a value that is no text has an empty one, so that its path is known. */
function* textsIn(delta: unknown): Generator<readonly [field: string, text: string]> {
  const open: { readonly path: string; readonly value: unknown }[] = [{ path: 'extra', value: delta }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { path, value } = next;
    if (typeof value === 'string') yield [path, value];
    else if (typeof value !== 'object' || value === null) yield [path, ''];
    else if (Array.isArray(value)) for (const item of value.toReversed()) open.push({ path: `${path}[]`, value: item });
    else
      for (const [name, inner] of Object.entries(value).reverse()) open.push({ path: `${path} ${name}`, value: inner });
  }
}
