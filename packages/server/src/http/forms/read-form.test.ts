import { setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RequestError } from '../../errors.ts';
import { boundary, formBytes, formType, readInMemory } from '../../testing/form.ts';
import type { FormPart } from '../../testing/form.ts';

const file: FormPart = { name: 'file', filename: 'a.bin', type: 'application/x-a', body: 'content' };
const purpose: FormPart = { name: 'purpose', body: 'user_data' };

async function refusal(reading: Promise<unknown>) {
  const error = await reading.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof RequestError)) throw new Error('not refused as a request', { cause: error });
  return { status: error.status, param: error.param, code: error.code };
}

const filenameStar = `content-disposition: form-data; name="file"; filename*=utf-8''a%ff.txt`;

/** Replaces the first occurrence of a character by a byte. */
function replaced(bytes: Buffer, char: string, byte: number): Buffer {
  bytes[bytes.indexOf(char)] = byte;
  return bytes;
}

/** Cuts bytes at the given places. */
function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const sorted = [...places.map((place) => place % (bytes.length + 1)), 0, bytes.length].sort((a, b) => a - b);
  return sorted.slice(1).map((end, index) => bytes.subarray(sorted[index] ?? 0, end));
}

describe('a valid form', () => {
  test('has its text fields in order, and the file with name, type and bytes', async () => {
    const form = await readInMemory([formBytes([purpose, { name: 'expires_after[seconds]', body: '3600' }, file])]);
    expect(form.fields).toEqual([
      ['purpose', 'user_data'],
      ['expires_after[seconds]', '3600'],
    ]);
    expect(form.files.get('file')).toEqual({
      filename: 'a.bin',
      mediaType: 'application/x-a',
      content: Buffer.from('content'),
    });
  });

  test('is read the same however the bytes are split', async () => {
    // Line ends and pieces of the boundary are what a parser may trip over.
    const awkward = fc.array(
      fc.constantFrom(
        '\r',
        '\n',
        '\r\n',
        '-',
        '--',
        `\r\n--${boundary}`.slice(0, -1),
        `--${boundary}-`,
        'x',
        '\0',
        'ü',
      ),
      { maxLength: 30 },
    );
    const text = awkward
      .map((pieces) => pieces.join(''))
      .filter((body) => !`\r\n${body}`.includes(`\r\n--${boundary}`));
    const places = fc.array(fc.nat(2000), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(text, text, places, fc.boolean(), async (value, content, at, fileFirst) => {
        const parts = [
          { ...purpose, body: value },
          { ...file, body: content },
        ];
        const bytes = formBytes(fileFirst ? parts.toReversed() : parts);
        const form = await readInMemory(cut(bytes, at));
        expect(form.fields).toEqual([['purpose', value]]);
        expect(form.files.get('file')?.content.toString('latin1')).toBe(Buffer.from(content).toString('latin1'));
      }),
      { numRuns: 300 },
    );
  });

  test('is read byte by byte', async () => {
    const bytes = formBytes([purpose, { ...file, body: '\r\n--a\r\n\r\n-' }]);
    const form = await readInMemory(Array.from(bytes, (byte) => Uint8Array.of(byte)));
    expect(form.files.get('file')?.content.toString()).toBe('\r\n--a\r\n\r\n-');
  });

  test('keeps filenames unchanged, with paths, line ends and other scripts', async () => {
    for (const filename of ['../../etc/passwd', 'C:\\a\\b.txt', 'naïve ✓.txt', '日本語.jsonl', '..']) {
      const form = await readInMemory([formBytes([{ ...file, filename: filename.replaceAll('\\', '\\\\') }])]);
      expect(form.files.get('file')?.filename).toBe(filename);
    }
  });

  test('recognizes a file without a filename by the name of its field', async () => {
    const form = await readInMemory([formBytes([{ name: 'file', body: 'x' }])]);
    expect(form.files.get('file')).toMatchObject({ filename: 'file', content: Buffer.from('x') });
  });

  test('can have an empty file', async () => {
    const form = await readInMemory([formBytes([{ ...file, body: '' }])]);
    expect(form.files.get('file')?.content.length).toBe(0);
  });

  test('ignores preamble and epilogue', async () => {
    const bytes = Buffer.concat([Buffer.from('a preamble\r\n'), formBytes([file]), Buffer.from('an epilogue\r\n--x')]);
    expect((await readInMemory([bytes])).files.get('file')?.content.toString()).toBe('content');
  });
});

test('skips the byte order mark of a text field', async () => {
  const form = await readInMemory([formBytes([{ ...purpose, body: '\uFEFFuser_data' }, file])]);
  expect(form.fields).toEqual([['purpose', 'user_data']]);
});

test('text fields are UTF-8, whatever charset a part declares', async () => {
  const head = 'content-disposition: form-data; name="purpose"\r\ncontent-type: text/plain; charset=iso-8859-1';
  const form = await readInMemory([formBytes([{ head, body: 'ü' }, file])]);
  expect(form.fields).toEqual([['purpose', 'ü']]);
});

test.each<[string, Buffer, string | null]>([
  ['a text field', formBytes([{ ...purpose, body: Uint8Array.of(0x61, 0xff) }, file]), 'purpose'],
  [
    'a text field that ends within a character',
    formBytes([{ ...purpose, body: Uint8Array.of(0xc3) }, file]),
    'purpose',
  ],
  ['a filename', replaced(formBytes([{ ...file, filename: 'a?.txt' }]), '?', 0xff), 'file'],
  ['an encoded filename', formBytes([{ head: filenameStar, body: 'x' }]), 'file'],
  ['a field name', replaced(formBytes([{ name: 'purpose?', body: 'x' }, file]), '?', 0xff), null],
])('returns 400 for invalid UTF-8 in %s', async (_, bytes, param) => {
  expect(await refusal(readInMemory([bytes]))).toEqual({ status: 400, param, code: 'invalid_encoding' });
  const byByte = Array.from(bytes, (byte) => Uint8Array.of(byte));
  expect(await refusal(readInMemory(byByte))).toEqual({ status: 400, param, code: 'invalid_encoding' });
});

describe('an invalid form', () => {
  test.each<[string, readonly FormPart[], { readonly param: string | null; readonly code: string | null }]>([
    ['no file', [purpose], { param: 'file', code: 'missing_required_parameter' }],
    ['a file of another name', [file, { ...file, name: 'other' }], { param: 'other', code: 'unknown_parameter' }],
    ['a file in the place of text', [{ ...file, name: 'purpose' }], { param: 'purpose', code: 'invalid_type' }],
    ['the file twice', [file, file], { param: 'file', code: 'invalid_value' }],
    ['a part without a name', [file, { filename: 'x', body: '' }], { param: null, code: 'invalid_form' }],
    [
      'a text field that is too long',
      [{ ...purpose, body: 'x'.repeat(300_000) }],
      { param: 'purpose', code: 'string_above_max_length' },
    ],
    [
      'more fields than any form has',
      Array.from({ length: 65 }, (_, index) => ({ name: `f${index}`, body: '' })),
      { param: null, code: 'request_too_complex' },
    ],
  ])('%s is a 400', async (_, parts, { param, code }) => {
    expect(await refusal(readInMemory([formBytes(parts)]))).toEqual({ status: 400, param, code });
  });

  test.each([
    ['no boundary', 'multipart/form-data', 'Content-Type'],
    ['an empty boundary', 'multipart/form-data; boundary=""', 'Content-Type'],
    ['a boundary without end', `multipart/form-data; boundary=${'x'.repeat(1000)}`, 'Content-Type'],
    ['a boundary that the form does not have', 'multipart/form-data; boundary=other', null],
  ])('%s is a 400', async (_, contentType, param) => {
    const reading = readInMemory([formBytes([file])], {}, { contentType });
    expect(await refusal(reading)).toEqual({
      status: 400,
      param,
      code: param === null ? 'invalid_form' : 'invalid_value',
    });
  });

  test('returns 400 for a form that is truncated anywhere, after all files have ended', async () => {
    const whole = formBytes([purpose, file], `--${boundary}--`);
    for (let length = 0; length < whole.length - 2; length++) {
      let storing = 0;
      const reading = readInMemory([whole.subarray(0, length)], {
        async storeFile({ bytes }) {
          storing++;
          try {
            await Array.fromAsync(bytes);
          } finally {
            await wait(1);
            storing--;
          }
          return { filename: '', mediaType: '', content: Buffer.of() };
        },
      });
      expect(await refusal(reading), `cut at ${length}`).toMatchObject({ status: 400 });
      expect(storing, `cut at ${length}`).toBe(0);
    }
  });

  test('limits part headers to 16 KB', async () => {
    const disposition = 'content-disposition: form-data; name="file"; filename="a"';
    const late = (length: number) => formBytes([{ head: `x: ${'y'.repeat(length)}\r\n${disposition}`, body: '' }]);
    expect((await readInMemory([late(10_000)])).files.has('file')).toBe(true);
    expect(await refusal(readInMemory([late(20_000)]))).toMatchObject({ status: 400, param: 'file' });
    expect(await refusal(readInMemory([late(3_000_000)]))).toMatchObject({ status: 413 });
  });

  test('returns 413 for a file that is too large while it is sent, and does not read the rest', async () => {
    let sent = 0;
    async function* endless() {
      yield formBytes([file], '').subarray(0, -2);
      for (;;) {
        sent += 100_000;
        yield new Uint8Array(100_000);
        await wait(1);
      }
    }
    expect(await refusal(readInMemory(endless()))).toEqual({ status: 413, param: 'file', code: 'request_too_large' });
    expect(sent).toBeLessThan(1_500_000);
  });

  test('accepts a file of exactly the maximum size, and not one byte more', async () => {
    const of = (length: number) => readInMemory(cut(formBytes([{ ...file, body: new Uint8Array(length) }]), [500_000]));
    expect((await of(1_000_000)).files.get('file')?.content.length).toBe(1_000_000);
    expect(await refusal(of(1_000_001))).toMatchObject({ status: 413 });
  });

  test('refuses a declared length that is too large before reading anything', async () => {
    let asked = false;
    async function* body() {
      asked = true;
      yield formBytes([file]);
    }
    const contentLength = String(1_000_000 + 1024 * 1024 + 1);
    expect(await refusal(readInMemory(body(), {}, { contentLength }))).toMatchObject({ status: 413, param: 'file' });
    expect(asked).toBe(false);
  });

  test('limits the bytes outside of files', async () => {
    async function* endless() {
      for (;;) {
        yield new Uint8Array(100_000);
        await wait(0);
      }
    }
    expect(await refusal(readInMemory(endless()))).toMatchObject({ status: 413, code: 'request_too_large' });
  });

  test('reports invalid text fields when the file begins', async () => {
    const reading = readInMemory([formBytes([purpose, file])], {
      check: (fields) => {
        throw new RequestError(`${fields.length} fields`, { status: 400, param: 'purpose' });
      },
      storeFile: () => Promise.reject(new Error('never kept')),
    });
    expect(await refusal(reading)).toMatchObject({ param: 'purpose' });
  });

  test('refuses the form with the error of storing a file', async () => {
    const full = new Error('disk full');
    const bytes = formBytes([{ ...file, body: new Uint8Array(500_000) }]);
    await expect(
      readInMemory(cut(bytes, [1000, 70_000, 200_000]), { storeFile: () => Promise.reject(full) }),
    ).rejects.toBe(full);
  });

  test('returns 408 when the client stops sending', async () => {
    async function* stalling() {
      yield formBytes([file]).subarray(0, 50);
      await wait(5000, undefined, { ref: false });
    }
    const reading = readInMemory(stalling(), { idleTimeoutMs: 50 });
    expect(await refusal(reading)).toEqual({ status: 408, param: null, code: 'request_timeout' });
  });

  test('returns 408 for a client that sends slowly when the total time is over', async () => {
    async function* dripping() {
      yield formBytes([file], '').subarray(0, -2);
      for (;;) {
        await wait(5);
        yield Uint8Array.of(0);
      }
    }
    expect(await refusal(readInMemory(dripping(), { idleTimeoutMs: 2000, totalTimeoutMs: 100 }))).toMatchObject({
      status: 408,
    });
  });

  test('returns 408 only below the minimum transfer rate', async () => {
    async function* sending(piece: number) {
      yield formBytes([file], '').subarray(0, -2);
      for (let n = 0; n < 40; n++) {
        await wait(5);
        yield new Uint8Array(piece);
      }
      yield Buffer.from(`\r\n--${boundary}--\r\n`);
    }
    const minRate = { bytes: 1000, perMs: 50 };
    expect(await refusal(readInMemory(sending(1), { minRate }))).toMatchObject({ status: 408 });
    expect((await readInMemory(sending(20_000), { minRate })).files.get('file')?.content.length).toBe(800_007);
  });

  test('a slow store does not cause a 408', async () => {
    const pieces = cut(formBytes([{ ...file, body: new Uint8Array(900_000) }]), [300_000, 600_000]);
    const form = await readInMemory(pieces, {
      idleTimeoutMs: 40,
      minRate: { bytes: 900_000, perMs: 40 },
      async storeFile({ filename, mediaType, bytes }) {
        let length = 0;
        for await (const piece of bytes) {
          length += piece.length;
          if (length < 200_000) await wait(30);
        }
        return { filename, mediaType, content: Buffer.alloc(length) };
      },
    });
    expect(form.files.get('file')?.content.length).toBe(900_000);
  });

  test('stops reading when the signal aborts', async () => {
    const stop = new AbortController();
    async function* stalling() {
      yield formBytes([file]).subarray(0, 150);
      await wait(5000, undefined, { ref: false });
    }
    const reading = readInMemory(stalling(), { signal: stop.signal });
    const why = new Error('the client disconnected');
    stop.abort(why);
    await expect(reading).rejects.toBe(why);
  });
});

test('reads or refuses any form', async () => {
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 60 }),
    fc
      .constantFrom(
        `--${boundary}`,
        `\r\n--${boundary}\r\n`,
        `\r\n--${boundary}--`,
        'content-disposition: form-data; name="file"; filename="x"',
        'content-disposition: form-data; name="__proto__"',
        'content-disposition: attachment',
        'content-disposition: form-data; name="a',
        "content-disposition: form-data; name*=utf-8''%ff; filename*=x''%zz",
        'content-type: text/plain; charset=utf-7',
        'content-type: multipart/mixed; boundary=inner',
        'content-transfer-encoding: base64',
        '\r\n',
        '\r\n\r\n',
        ':',
      )
      .map((text) => new Uint8Array(Buffer.from(text))),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 25 }), async (pieces) => {
      const reading = readInMemory(pieces, {
        files: [{ name: 'file', required: false, description: '', maxBytes: 100 }],
      });
      const status = await reading.then(
        () => 200,
        (reason: unknown) => (reason instanceof RequestError ? reason.status : reason),
      );
      expect(status).toBeLessThan(500);
    }),
    { numRuns: 1000 },
  );
});

test('recognizes only the media type of forms', async () => {
  const { isForm } = await import('./receive-form.ts');
  expect([formType, 'Multipart/Form-Data', 'multipart/form-data ;x'].every(isForm)).toBe(true);
  expect([null, '', 'application/json', 'multipart/form-datax', 'multipart/mixed'].some(isForm)).toBe(false);
});
