import { expect, test } from 'vitest';
import { bodyFormat, createFormModelFinder, readJsonRequest } from './model-in-body.ts';

/** The model that is found in a body, or the status of the refusal, whatever the sizes of its chunks. */
async function modelOf(
  body: string | Uint8Array,
  contentType: string | null = 'application/json',
  encoding: string | null = null,
) {
  const headers: Readonly<Record<string, string | null>> = {
    'content-type': contentType,
    'content-encoding': encoding,
  };
  const bytes = Buffer.from(body);
  try {
    if (bodyFormat((name) => headers[name] ?? null, true) === 'json') return (await readJsonRequest(bytes, true)).model;
  } catch (error) {
    return statusOf(error);
  }
  const results = [1, 2, 3, 7, 10_000].map((chunkBytes) => modelOfForm(bytes, contentType ?? '', chunkBytes));
  expect(new Set(results).size).toBe(1);
  return results[0];
}

function modelOfForm(bytes: Uint8Array, contentType: string, chunkBytes: number): unknown {
  try {
    const find = createFormModelFinder(contentType, true);
    let name: string | undefined;
    for (let at = 0; at < bytes.length; at += chunkBytes) {
      const found = find(bytes.subarray(at, at + chunkBytes))?.text;
      name ??= found;
    }
    return name;
  } catch (error) {
    return statusOf(error);
  }
}

const statusOf = (error: unknown): unknown => (error instanceof Error && 'status' in error ? error.status : error);

test.each([
  ['{"model":"m"}', 'm'],
  [' {\r\n\t"a" : [1, -2.5e+3, true, false, null, {"model": "x"}], "model" : "m" } \n', 'm'],
  ['{"a":"// \' # model","model":"m"}', 'm'],
  ['{"mod\\u0065l":"m"}', 'm'],
  ['{"input":"x"}', undefined],
])('reads the model of the JSON %s', async (body, expected) => {
  expect(await modelOf(body)).toBe(expected);
  expect(await modelOf(body, 'application/json; charset=utf-8')).toBe(expected);
});

test.each([
  ['twice', '{"model":"m","model":"x"}'],
  ['twice, once escaped', '{"model":"m","mod\\u0065l":"x"}'],
  ['in another case, as Go reads it', '{"Model":"x"}'],
  ['not as text', '{"model":{"id":"x"}}'],
  ['as null', '{"model":null}'],
  ['too long', `{"model":"${'x'.repeat(1100)}"}`],
  ['after a byte order mark', '\uFEFF{"model":"m"}'],
  ['after a comment', '{/*"*/"model":"x",/*"*/"a":1}'],
  ['after a line comment', '{//"\n"model":"x"//"\n}'],
  ['in other quotes', "{'model':'x'}"],
  ['without quotes', '{model:"x"}'],
  ['after a missing comma', '{"a":1 "model":"x"}'],
  ['in a second value', '{"a":1}{"model":"x"}'],
  ['in a second line', '{"model":"m"}\n{"model":"x"}'],
  ['beside a zero byte', '{"model":"m","a":"\0"}'],
  ['in UTF-16', Buffer.from('{"model":"m"}', 'utf16le')],
])('a model %s is a 403', async (_, body) => {
  expect(await modelOf(body)).toBe(403);
});

test.each([
  ['text/plain', null],
  ['application/octet-stream', null],
  ['application/x-ndjson', null],
  ['application/x-www-form-urlencoded', null],
  ['application/json; charset=latin1', null],
  ['application/json; charset=utf-16', null],
  ['application/json; charset=utf-8; charset=utf-16', null],
  ["application/json; charset*=utf-8''utf-16", null],
  ['application/json, text/plain', null],
  [null, null],
  ['multipart/form-data', null],
  ['multipart/mixed; boundary=b', null],
  ['multipart/form-data; boundary=b; boundary=c', null],
  ['multipart/form-data; boundary*0=b', null],
  ['multipart/form-data; boundary=b; charset=utf-16', null],
  ['multipart/form-data; boundary="b "', null],
  ['application/json', 'identity'],
  ['application/json', 'gzip'],
  ['application/json', ''],
])('a body of the type %s with the coding %s is a 415', async (contentType, encoding) => {
  expect(await modelOf('{"model":"m"}', contentType, encoding)).toBe(415);
});

const part = (headers: string, value: string) => `--b\r\n${headers}\r\n\r\n${value}\r\n`;
const field = (name: string, value: string) => part(`Content-Disposition: form-data; name="${name}"`, value);
const file = part(
  'Content-Disposition: form-data; name="file"; filename="a.wav"\r\nContent-Type: audio/wav',
  'R--b\r\nx',
);
const end = '--b--\r\n';
const type = 'multipart/form-data; boundary=b';

test.each([
  ['of browsers', file + field('model', 'm') + end],
  ['with an encoded file name', part('Content-Disposition: form-data; name="file"; filename="a"; filename*=utf-8\'\'%C3%A4', 'x') + field('model', 'm') + end], // prettier-ignore
  ['of Java', part('Content-Disposition: form-data; name="model"\r\nContent-Type: text/plain; charset=UTF-8\r\nContent-Transfer-Encoding: 8bit\r\nContent-Length: 1', 'm') + end], // prettier-ignore
  ['of .NET', part('Content-Type: text/plain; charset=utf-8\r\nContent-Disposition: form-data; name=model', 'm') + end],
])('reads the model of a form %s', async (_, body) => {
  expect(await modelOf(body, type)).toBe('m');
});

test.each([
  ['with a second model', field('model', 'm') + field('model', 'x') + end],
  ['with a model that is a file', part('Content-Disposition: form-data; name="model"; filename="m"', 'x') + end],
  ['with an empty file name', part('Content-Disposition: form-data; name="model"; filename=""', 'x') + end],
  ['with a name in another case', field('Model', 'x') + end],
  ['with an element of the model', field('model', 'm') + field('model[]', 'x') + end],
  ['with a member of the model', field('model.id', 'x') + end],
  ['with an escaped name', field('mod\\el', 'x') + end],
  ['with an encoded name', field('mod%65l', 'x') + end],
  [
    'with quotes that are escaped',
    part('Content-Disposition: form-data; name="a"; filename="\\"; name=\\"model"', 'x') + end,
  ],
  ['with two names', part('Content-Disposition: form-data; name="a"; name="model"', 'x') + end],
  ['with an extended name', part("Content-Disposition: form-data; name*=utf-8''model", 'x') + end],
  ['with two dispositions', part('Content-Disposition: form-data; name="a"\r\nContent-Disposition: form-data; name="model"', 'x') + end], // prettier-ignore
  ['with a folded header', part('Content-Disposition: form-data;\r\n name="model"', 'x') + end],
  ['without a disposition', part('Content-Type: text/plain', 'x') + end],
  ['in another charset', part('Content-Disposition: form-data; name="model"\r\nContent-Type: text/plain; charset=utf-16', 'm') + end], // prettier-ignore
  ['with the charset of all fields', field('_charset_', 'utf-7') + field('model', 'm') + end],
  ['in base64', part('Content-Disposition: form-data; name="model"\r\nContent-Transfer-Encoding: base64', 'm') + end],
  ['with line feeds', field('model', 'm').replaceAll('\r\n', '\n') + end.replaceAll('\r\n', '\n')],
  ['with a line feed before a boundary', `--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\n${field('model', 'm')}${end}`], // prettier-ignore
  ['with line feeds after headers', '--b\nContent-Disposition: form-data; name="model"\n\nx\n--b\nContent-Disposition: form-data; name="z"\n\n\r\n\r\nm\n--b--\n'], // prettier-ignore
  ['with a preamble', `x\r\n${field('model', 'm')}${end}`],
  ['with an epilogue', field('model', 'm') + end + field('model', 'x') + end],
  ['with a longer boundary', `${field('model', 'm')}--bb\r\n`],
  ['with spaces after a boundary', `--b  \r\nContent-Disposition: form-data; name="model"\r\n\r\nm\r\n${end}`],
])('a form %s is a 403', async (_, body) => {
  expect(await modelOf(body, type)).toBe(403);
});
