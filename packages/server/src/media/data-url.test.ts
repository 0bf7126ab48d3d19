import { expect, test } from 'vitest';
import { inlineBase64, inlineByteLength, plainDataUrl, readInlineData } from './data-url.ts';

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

test.each<[data: string, content: string, mediaType: string | undefined]>([
  ['R3LDvMOfZQ==', 'Grüße', undefined],
  ['data:text/plain;base64,R3LDvMOfZQ', 'Grüße', 'text/plain'],
  ['data:text/csv;name="a,b.csv";base64, R3LD\nvMOfZQ==', 'Grüße', 'text/csv'],
  ['data:text/plain;charset=utf-8,Gr%C3%BC%c3%9fe, Welt', 'Grüße, Welt', 'text/plain'],
  ['data:,Grüße', 'Grüße', 'text/plain'],
])('reads the bytes of %j', (data, content, mediaType) => {
  const read = readInlineData(data);
  expect(text(read.bytes)).toBe(content);
  expect(read.mediaType).toBe(mediaType);
  expect(inlineByteLength(data)).toBe(read.bytes.byteLength);
  expect(text(Buffer.from(inlineBase64(data), 'base64'))).toBe(content);
});

test.each([
  ['data:image/png;base64,AAAA', 'data:image/png;base64,AAAA'],
  ['data:image/png;charset=utf-8;base64,AAAA', 'data:image/png;charset=utf-8;base64,AAAA'],
  ['data:image/png;name="a;b";BASE64,AA AA', 'data:image/png;base64,AAAA'],
  ['data:text/plain,a%20b', 'data:text/plain;base64,YSBi'],
  ['https://example.com/a.png', 'https://example.com/a.png'],
  ['AAAA', 'AAAA'],
])('gives engines %j as %j', (url, plain) => expect(plainDataUrl(url)).toBe(plain));
