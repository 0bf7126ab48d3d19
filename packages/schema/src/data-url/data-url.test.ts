import { expect, test } from 'vitest';
import { isDataUrl, parseDataUrl } from './data-url.ts';
import { isAudioData, isFileData, isImageUrl } from './inline-data.ts';

const quoted = 'data:image/png;charset=utf-8;name="a; b, c.png";base64,AAAA';

test.each<[url: string, mediaType: string, data: string]>([
  ['data:image/png;base64,AAAA', 'image/png', 'AAAA'],
  ['DATA:IMAGE/PNG;BASE64,AAAA', 'image/png', 'AAAA'],
  ['data:image/svg+xml;charset=utf-8;base64,AAAA', 'image/svg+xml', 'AAAA'],
  ['data:audio/wav;codecs=1;rate=16000;channels=1;base64,AAAA', 'audio/wav', 'AAAA'],
  ['data:a/b;p1=1;p2=2;p3=3;p4=4;p5=5;p6=6;base64,AAAA', 'a/b', 'AAAA'],
  [quoted, 'image/png', 'AAAA'],
  ['data:image/png;name="a\\"b.png";base64,AAAA', 'image/png', 'AAAA'],
  ['data:image/png;name=%22a%2Cb.png%22;base64,AAAA', 'image/png', 'AAAA'],
  ['data:image/png; charset=utf-8 ; base64, AAAA', 'image/png', 'AAAA'],
  ['data: image/png ;base64,AAAA', 'image/png', 'AAAA'],
  ['data:image/png;base64,AA\r\nAA\n', 'image/png', 'AAAA'],
  ['data:image/png;base64,AA%2BA%0AAA%3D%3D', 'image/png', 'AA+AAA=='],
  ['data:image/png;;base64,AAAA', 'image/png', 'AAAA'],
  ['data:;base64,AAAA', 'text/plain', 'AAAA'],
  ['data:;charset=utf-8;base64,AAAA', 'text/plain', 'AAAA'],
])('reads base64 in %j', (url, mediaType, data) => {
  expect(parseDataUrl(url)).toMatchObject({ mediaType, isBase64: true, data });
});

test.each<[url: string, mediaType: string, data: string]>([
  ['data:text/plain,Hello%20World', 'text/plain', 'Hello%20World'],
  ['data:,Hello, World', 'text/plain', 'Hello, World'],
  ['data:text/plain;charset=US-ASCII,a;base64,b', 'text/plain', 'a;base64,b'],
])('reads percent-encoded text in %j', (url, mediaType, data) => {
  expect(parseDataUrl(url)).toMatchObject({ mediaType, isBase64: false, data });
});

test.each([
  'data:image/png;base64',
  'data:image/png;base64,',
  'data:image/png;base64,A',
  'data:image/png;base64,AA-_',
  'data:image/png;base64,AA=A',
  'data:image/png;name="a;base64,AAAA',
  'data:image/png;name="a"b;base64,AAAA',
  'data:image;base64,AAAA',
  'data:image/png x;base64,AAAA',
  'data:text/plain,%zz',
  `data:image/png;name=${'x'.repeat(4096)};base64,AAAA`,
  'https://example.com/a,b',
  '',
])('refuses %j', (url) => expect(parseDataUrl(url)).toBeUndefined());

test.each<[url: string, isPlain: boolean]>([
  ['data:image/png;base64,AAAA', true],
  ['data:image/png;charset=utf-8;base64,AAAA', true],
  ['DATA:image/png;base64,AAAA', false],
  ['data:image/png;base64,AA AA', false],
  ['data:;base64,AAAA', false],
  [quoted, false],
  ['data:text/plain,a', false],
])('knows whether every reader understands %j', (url, isPlain) => expect(parseDataUrl(url)?.isPlain).toBe(isPlain));

test('is the same for images, audio and files', () => {
  expect(isImageUrl(quoted)).toBe(true);
  expect(isFileData(quoted)).toBe(true);
  expect(isAudioData(quoted.replace('image/png', 'audio/wav'))).toBe(true);
  expect(isAudioData(quoted)).toBe(false);
  expect(isAudioData('AAAA')).toBe(true);
});

test('reads hostile headers and megabytes in linear time', () => {
  const hostile = [
    ';'.repeat(2_000_000),
    `;a=${'"\\'.repeat(1_000_000)}`,
    ' '.repeat(2_000_000),
    ';=,'.repeat(500_000),
  ];
  for (const text of hostile) expect(parseDataUrl(`data:image/png${text}`)?.isBase64 ?? false).toBe(false);
  expect(parseDataUrl(`data:image/png;base64,${'AAAA\n'.repeat(2_000_000)}`)?.data).toHaveLength(8_000_000);
});

test.each([
  ['data:', true],
  ['DATA:x', true],
  ['data', false],
  ['https://x', false],
])('%j is a data URL: %j', (url, expected) => expect(isDataUrl(url)).toBe(expected));
