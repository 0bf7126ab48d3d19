import { bodyTooLarge, invalid, wrongContentType } from '../errors.ts';

/** A request's JSON body, bounded in size, to the letter and parsed. */
export async function readJson(
  request: Request,
  maxBytes: number,
): Promise<{ readonly text: string; readonly value: unknown }> {
  if (!isJson(request.headers.get('content-type'))) throw wrongContentType('application/json');
  const text = await readText(request, maxBytes);
  if (text.trim() === '') throw invalid(null, 'The request body is empty: send a JSON object.', null);
  try {
    return { text, value: JSON.parse(text) };
  } catch {
    // The parser's own message quotes the body; the caller knows what was sent.
    throw invalid(null, 'The request body is not valid JSON.', 'invalid_json');
  }
}

function isJson(contentType: string | null): boolean {
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase();
  return type === 'application/json' || (type?.startsWith('application/') === true && type.endsWith('+json'));
}

async function readText(request: Request, maxBytes: number): Promise<string> {
  const declared = request.headers.get('content-length');
  if (declared !== null) {
    if (Number(declared) > maxBytes) throw bodyTooLarge(maxBytes);
    // HTTP itself holds the sender to the declared length.
    return request.text();
  }
  if (!request.body) return '';
  // Not declared: counted as it comes, and refused as soon as it is too much.
  const decoder = new TextDecoder();
  const reader = (request.body as ReadableStream<Uint8Array>).getReader();
  let text = '';
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > maxBytes) {
      await reader.cancel();
      throw bodyTooLarge(maxBytes);
    }
    text += decoder.decode(value, { stream: true });
  }
}
