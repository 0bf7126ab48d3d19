import { expect, test } from 'vitest';
import { FormFieldFinder } from './form-field.ts';

interface Part {
  readonly name: string;
  readonly value: string;
  readonly filename?: string;
}

const boundary = 'XyZ';

function form(...parts: readonly Part[]): string {
  const lines = parts.map(({ name, value, filename }) => {
    const file = filename === undefined ? '' : `; filename="${filename}"\r\nContent-Type: audio/wav`;
    return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${value}\r\n`;
  });
  return `${lines.join('')}--${boundary}--\r\n`;
}

function modelOf(body: string, pieceBytes: number, contentType = `multipart/form-data; boundary=${boundary}`) {
  const finder = FormFieldFinder.create(contentType, 'model', 50);
  const bytes = Buffer.from(body);
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    const found = finder?.write(bytes.subarray(at, at + pieceBytes));
    if (!found) continue;
    expect(bytes.subarray(found.start, found.end).toString()).toBe(found.text);
    return found.text;
  }
  return undefined;
}

const file = { name: 'file', filename: 'a.wav', value: 'RIFF\r\n--Xy\r\n\r\n--XyY name="model"' };

test.each([
  ['first', form({ name: 'model', value: 'whisper' }, file), 'whisper'],
  ['after a file', form(file, { name: 'model', value: 'whisper-ü' }), 'whisper-ü'],
  ['after an empty field', form({ name: 'prompt', value: '' }, { name: 'model', value: 'whisper' }), 'whisper'],
  ['empty', form({ name: 'model', value: '' }), ''],
  ['with a preamble', `preamble\r\n${form({ name: 'model', value: 'whisper' })}`, 'whisper'],
  ['not there', form(file, { name: 'prompt', value: 'model' }), undefined],
  ['a file', form({ name: 'model', filename: 'model', value: 'x' }), undefined],
  ['too long', form({ name: 'model', value: 'x'.repeat(51) }), undefined],
  ['cut off', form({ name: 'model', value: 'whisper' }).slice(0, -16), undefined],
])('finds the field: %s', (_, body, expected) => {
  for (const pieceBytes of [1, 2, 3, 10, 10_000]) expect(modelOf(body, pieceBytes)).toBe(expected);
});

test('reads a boundary in quotes', () => {
  expect(modelOf(form({ name: 'model', value: 'm' }), 5, 'multipart/form-data; boundary="XyZ"')).toBe('m');
});

test('is not made for a content type without a boundary', () => {
  expect(FormFieldFinder.create('multipart/form-data', 'model', 50)).toBeUndefined();
});

const named = (disposition: string) =>
  `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\nother\r\n`;

test.each([
  ['two fields', named('name="model"')],
  ['another case', named('name="Model"')],
  ['without quotes', named('name=model')],
  ['a file', named('name="model"; filename="a"')],
  ['an extended parameter', named("name*=utf-8''model")],
  ['percent-encoded', named('name="mod%65l"')],
  ['escaped', named('name="mod\\el"')],
  ['a folded header', named('\r\n name="model"')],
  ['lines without carriage returns', `a\n${named('name="model"')}`],
  ['a long value', named('name="model"').replace('other', 'x'.repeat(200))],
  ['long headers', named(`name="x"; a="${'x'.repeat(17_000)}"; name="model"`)],
])('reports that parsers could find another value: %s', (_, other) => {
  const first = named('name="model"');
  for (const body of [first + other, other + first])
    for (const pieceBytes of [1, 7, 100_000]) {
      const finder = FormFieldFinder.create(`multipart/form-data; boundary=${boundary}`, 'model', 50);
      const bytes = Buffer.from(`${body}--${boundary}--\r\n`);
      for (let at = 0; at < bytes.length; at += pieceBytes) finder?.write(bytes.subarray(at, at + pieceBytes));
      expect(finder?.isAmbiguous).toBe(true);
    }
});

test.each(['name="models"', 'name="x"; filename="model"', 'name="prompt"; a="name=modelx"'])(
  'does not mistake other fields for it: %s',
  (disposition) => {
    const finder = FormFieldFinder.create(`multipart/form-data; boundary=${boundary}`, 'model', 50);
    finder?.write(Buffer.from(`${named('name="model"')}${named(disposition)}--${boundary}--\r\n`));
    expect(finder?.isAmbiguous).toBe(false);
  },
);

test('is not made for a content type with two boundaries', () => {
  expect(FormFieldFinder.create('multipart/form-data; boundary=a; boundary=b', 'model', 50)).toBeUndefined();
});
