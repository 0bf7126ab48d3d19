/** The chunks of a stream, the same for all decoders. */
export interface Case {
  readonly name: string;
  readonly title: string;
  readonly chunks: readonly Uint8Array[];
  readonly bytes: number;
  /** Number of JSON events, without `[DONE]`. */
  readonly events: number;
}

const utf8 = new TextEncoder();
const done = 'data: [DONE]\n\n';

/** D2 and E2 are twice as long as D and E, to verify that the time is linear. */
export function cases(): readonly Case[] {
  const chat = Array.from({ length: 2000 }, (_, i) => chatEvent(i));
  const stream = [...chat, done].join('');
  return [
    of('A', '2,000 events, one a chunk', [...chat, done].map(encode), 2000),
    of('B', 'the same in chunks of 16 KiB', split(stream, 16 * 1024), 2000),
    of('C', 'the same in chunks of 97 bytes', split(stream, 97), 2000),
    of('D', 'one event of 256 KiB in chunks of 64 bytes', split(long(256 * 1024), 64), 1),
    of('D2', 'the same of 512 KiB', split(long(512 * 1024), 64), 1),
    of('E', 'one event of 4 MiB in chunks of 16 KiB', split(long(4 * 2 ** 20), 16 * 1024), 1),
    of('E2', 'the same of 8 MiB', split(long(8 * 2 ** 20), 16 * 1024), 1),
  ];
}

function of(name: string, title: string, chunks: readonly Uint8Array[], events: number): Case {
  return { name, title, chunks, events, bytes: chunks.reduce((sum, { length }) => sum + length, 0) };
}

/** About 311 bytes, like the chunks of a chat stream with obfuscation. */
function chatEvent(index: number): string {
  const words = ['time', ' naïve', ' “quoted”', '\n\n', ' 漢字', ' work', ' and', ' so', ' it', ' goes'];
  const body = {
    id: 'chatcmpl-abcdefghijklmnopqrstuvwx',
    object: 'chat.completion.chunk',
    created: 1_767_225_600,
    model: 'simulator',
    service_tier: 'default',
    system_fingerprint: 'fp_0123456789',
    choices: [{ index: 0, delta: { content: words[index % words.length] }, logprobs: null, finish_reason: null }],
    obfuscation: 'abcdefghijklmnopqrstuvwxyz0123456789'.slice(0, 24 + (index % 8)),
  };
  return `data: ${JSON.stringify(body)}\n\n`;
}

function long(bytes: number): string {
  return `data: ${JSON.stringify({ text: 'x'.repeat(bytes) })}\n\n${done}`;
}

function encode(text: string): Uint8Array {
  return utf8.encode(text);
}

function split(text: string, size: number): Uint8Array[] {
  const bytes = encode(text);
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.slice(i * size, (i + 1) * size));
}
