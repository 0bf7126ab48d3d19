import { expect, test } from 'vitest';
import { listen } from '../../testing/listen.ts';
import { pdfBomb, pdfOf } from '../../testing/pdf.ts';
import { contentOf, says, scriptedEngine } from '../../testing/scripted-engine.ts';
import { pdfReader } from './pdf.ts';

const { signal } = new AbortController();

test('reads the text of all pages', async () => {
  expect(await pdfReader()(pdfOf('First page', 'Second page'), { signal })).toBe('First page\nSecond page\n');
});

test.each([
  ['pages that are images', {}, pdfOf('', ''), 'file_without_text', 'The PDF has no text'],
  [
    'more pages than are read',
    { maxPages: 2 },
    pdfOf('a', 'b', 'c'),
    'file_too_large',
    'it has 3 pages, and at most 2',
  ],
  ['more text than is read', { maxCharacters: 8 }, pdfOf('Some words'), 'file_too_large', 'longer than 8 characters'],
  ['a file that takes too long', { timeoutMs: 1 }, pdfOf('a'), 'file_too_large', 'longer than 1 ms'],
  ['a stream that decompresses to more than is read', {}, pdfBomb(100_000_000), 'file_too_large', 'compressed part'],
  ['a broken file', {}, new TextEncoder().encode('%PDF-1.4 and nothing'), 'invalid_file', 'cannot be read'],
])('refuses %s', async (_, limits, bytes, code, message) => {
  await expect(pdfReader(limits)(bytes, { signal })).rejects.toMatchObject({
    status: 400,
    code,
    message: expect.stringContaining(message) as string,
  });
});

test('stops when the client disconnects', async () => {
  const left = AbortSignal.abort(new Error('left'));
  await expect(pdfReader()(pdfOf('a'), { signal: left })).rejects.toThrow('left');
});

test('a PDF in a message reaches a model that takes only text as its text; errors name the part', async () => {
  const engine = scriptedEngine((request) => says(contentOf(request)));
  const { client } = await listen({ engines: [engine], readPdf: pdfReader() });
  const ask = (bytes: Uint8Array) =>
    client.chat.completions.create({
      model: 'scripted',
      messages: [
        {
          role: 'user',
          content: [
            {
              type: 'file',
              file: {
                file_data: `data:application/pdf;base64,${Buffer.from(bytes).toString('base64')}`,
                filename: 'report.pdf',
              },
            },
          ],
        },
      ],
    });
  await ask(pdfOf('The Rhine is 1,230 km long.'));
  expect(engine.asked[0]?.request.messages[0]?.content).toEqual([
    { type: 'text', text: '[File "report.pdf"]\nThe Rhine is 1,230 km long.\n[End of file "report.pdf"]\n' },
  ]);
  await expect(ask(pdfOf(''))).rejects.toMatchObject({
    status: 400,
    code: 'file_without_text',
    param: 'messages[0].content[0].file',
  });
});
