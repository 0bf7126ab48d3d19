import type { Call } from '../call.ts';

/** Names the tools and items of a request that the model does not see, in a header and in the log. */
export function reportUnsupportedTools(
  types: readonly string[],
  call: Pick<Call, 'responseHeaders' | 'logRecord'>,
): void {
  if (types.length === 0) return;
  call.responseHeaders['x-modelwire-unsupported-tools'] = headerValue(types);
  call.logRecord.unsupportedTools = types;
}

/** Printable ASCII, and not too much. */
function headerValue(types: readonly string[]): string {
  return types
    .map((type) => type.replace(/[^\x21-\x7e]/g, '?').slice(0, 64))
    .slice(0, 20)
    .join(', ');
}
