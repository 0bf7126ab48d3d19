import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { attachment, safeMediaType } from './content-headers.ts';

describe('content-disposition', () => {
  test.each([
    ['report.pdf', 'attachment; filename="report.pdf"'],
    ['two words; and=more.txt', 'attachment; filename="two words; and=more.txt"'],
    ['naïve.txt', `attachment; filename="na_ve.txt"; filename*=UTF-8''na%C3%AFve.txt`],
    ['a"b.txt', `attachment; filename="a_b.txt"; filename*=UTF-8''a%22b.txt`],
    ["it's (1)*!.txt", `attachment; filename="it's (1)*!.txt"`],
    ["ü'(*)!", `attachment; filename="_'(*)!"; filename*=UTF-8''%C3%BC%27%28%2A%29%21`],
    ['100%.txt', `attachment; filename="100_.txt"; filename*=UTF-8''100%25.txt`],
    ['../../etc/passwd', 'attachment; filename="passwd"'],
    ['C:\\Users\\me\\a.txt', 'attachment; filename="a.txt"'],
    ['folder/', 'attachment; filename="folder"'],
    ['..', 'attachment; filename="file"'],
    ['/', 'attachment; filename="file"'],
    ['', 'attachment; filename="file"'],
    ['a\r\nset-cookie: x=1', `attachment; filename="a__set-cookie: x=1"`],
    ['gpj.\u202eexe', `attachment; filename="gpj._exe"`],
    ['a\u061cb\u2028c\u2029d', `attachment; filename="a_b_c_d"`],
    ['  ', `attachment; filename="file"`],
    ['. .', `attachment; filename="file"`],
  ])('of %j is %s', (filename, header) => {
    expect(attachment(filename)).toBe(header);
  });

  test('of any filename is an unambiguous header without a path', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (filename) => {
        const header = attachment(filename);
        expect(header).toMatch(
          /^attachment; filename="[^"\\%/\x00-\x1f\x7f-\uffff]+"(; filename\*=UTF-8''[\w.%~-]+)?$/,
        );
        const encoded = /filename\*=UTF-8''(.*)$/.exec(header)?.[1];
        if (encoded !== undefined) expect(decodeURIComponent(encoded)).not.toMatch(/[/\\\r\n\0]/);
      }),
    );
  });
});

describe('content-type', () => {
  test.each([
    [undefined, 'application/octet-stream'],
    ['', 'application/octet-stream'],
    ['text/html', 'text/html'],
    ['Text/Plain; Charset="UTF-8"; x=y', 'text/plain; charset=utf-8'],
    ['application/vnd.api+json', 'application/vnd.api+json'],
    ['text/html\r\nset-cookie: a', 'application/octet-stream'],
    ['text/html; charset=utf-8\r\nx: y', 'text/html'],
    ['text', 'application/octet-stream'],
    ['a/b/c', 'application/octet-stream'],
    ['ü/x', 'application/octet-stream'],
    [`${'a'.repeat(200)}/b`, 'application/octet-stream'],
  ])('of the declared type %j is %s', (said, header) => {
    expect(safeMediaType(said)).toBe(header);
  });
});
