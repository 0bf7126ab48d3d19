import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeBase64 } from './base64.ts';
import { audioPart, filePart, imagePart } from './index.ts';

const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 1, 2, 3);

test('base64 is the same as that of Node, for every length around the slices', () => {
  fc.assert(
    fc.property(fc.constantFrom(0, 24_576, 49_152), fc.uint8Array({ maxLength: 8 }), (length, tail) => {
      const bytes = new Uint8Array(length + tail.length);
      bytes.set(tail, length);
      expect(encodeBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'));
    }),
  );
});

describe('a part', () => {
  test('of an image is an unchanged URL, or a data URL with the type of the blob or its bytes', async () => {
    const url = 'https://example.com/a.png';
    expect(await imagePart(new URL(url), { detail: 'low' })).toEqual({
      ...{ type: 'image_url', image_url: { url, detail: 'low' } },
    });
    const data = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORwECAw==' } };
    expect(await imagePart(png)).toEqual(data);
    expect(await imagePart(png.buffer)).toEqual(data);
    expect(await imagePart(new Blob([png], { type: 'image/png; a=b' }))).toEqual(data);
    await expect(imagePart(Uint8Array.of(1))).rejects.toMatchObject({ name: 'InputError' });
  });

  test('of a file is its ID, or the file with its name', async () => {
    expect(await filePart('file-1')).toEqual({ type: 'file', file: { file_id: 'file-1' } });
    expect(await filePart(new File(['%PDF-1'], 'a.pdf'))).toEqual({
      type: 'file',
      file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0x' },
    });
  });

  test('of audio has the format of the option, the blob or its bytes', async () => {
    const wav = new TextEncoder().encode('RIFF....WAVE');
    const formats = [new Blob([wav]), new Blob([], { type: 'audio/mpeg' }), Uint8Array.of(0xff, 0xfb)];
    const parts = await Promise.all(formats.map((source) => audioPart(source)));
    expect(parts.map(({ input_audio }) => input_audio.format)).toEqual(['wav', 'mp3', 'mp3']);
    expect((await audioPart(Uint8Array.of(1), { format: 'mp3' })).input_audio).toEqual({ data: 'AQ==', format: 'mp3' });
    await expect(audioPart(png)).rejects.toMatchObject({ name: 'InputError' });
  });
});
