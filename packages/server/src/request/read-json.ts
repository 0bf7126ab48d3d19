import { invalid, wrongContentType } from '../errors.ts';
import type { Incoming } from './incoming.ts';

/** A request's JSON body, bounded in size, to the letter and parsed. */
export async function readJson(
  incoming: Incoming,
  maxBytes: number,
): Promise<{ readonly text: string; readonly value: unknown }> {
  if (!isJson(incoming.header('content-type'))) throw wrongContentType('application/json');
  const text = await incoming.text(maxBytes);
  if (text.trim() === '') throw invalid(null, 'The request body is empty: send a JSON object.', null);
  try {
    return { text, value: JSON.parse(text) };
  } catch {
    // The parser's own message quotes the body; the caller knows what was sent.
    throw invalid(null, 'The request body is not valid JSON.', null);
  }
}

function isJson(contentType: string | null): boolean {
  if (contentType === 'application/json') return true;
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase();
  return type === 'application/json' || (type?.startsWith('application/') === true && type.endsWith('+json'));
}
