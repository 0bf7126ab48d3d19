import { DecodeError, NotFoundError } from '@modelwire/core';
import { describe, expect, test } from 'vitest';
import { describeError } from './describe-error.ts';
import { EXIT } from './exit-codes.ts';

test.each([
  { exitCode: EXIT.usage, codes: ['ENOENT', 'EACCES', 'EISDIR'] },
  { exitCode: EXIT.failure, codes: ['ENOSPC', 'EDQUOT', 'EIO'] },
])('The file system errors $codes have the exit code $exitCode', ({ exitCode, codes }) => {
  for (const code of codes) {
    const error = Object.assign(new Error(`${code}: file operation failed`), { code, syscall: 'write' });
    expect(describeError(error)).toEqual({ code: exitCode, message: error.message, fields: { code } });
  }
});

test('A file system error names the path and the reason', () => {
  const error = Object.assign(new Error("ENOENT: no such file or directory, open '/a/b.txt'"), {
    code: 'ENOENT',
    syscall: 'open',
  });
  expect(describeError(error).message).toBe('Cannot access /a/b.txt: no such file or directory.');
});

describe('A base URL without a version prefix', () => {
  const errors = [new NotFoundError('Not found', { status: 404 }), new DecodeError('The response is not JSON.')];

  test.each(errors)('is the hint when the path is wrong (%s)', (error) => {
    expect(describeError(error, 'http://127.0.0.1:11434').hint).toContain('http://127.0.0.1:11434/v1');
  });

  test.each(errors)('is no hint when the prefix is there (%s)', (error) => {
    expect(describeError(error, 'http://127.0.0.1:11434/v1').hint).toBeUndefined();
    expect(describeError(error).hint).toBeUndefined();
  });
});
