import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failureList } from './failures.mjs';

const task = (directory, name, exitCode) => ({
  taskId: `@modelwire/${directory}#${name}`,
  task: name,
  directory,
  command: name === 'lint' ? 'eslint .' : 'vitest run',
  logFile: `${directory}/.turbo/turbo-${name}.log`,
  ...(exitCode !== undefined && { execution: { exitCode } }),
});
const failure = (folder, file, title = 'adds') => ({ folder, file, title, message: 'expected 1 to be 2' });

test('Nothing is listed if all tasks passed', () => {
  assert.deepEqual(failureList([task('core', 'test', 0), task('chat', 'test', 0)], []), []);
});

test('Each failed test is listed with its package and file, after all other output', () => {
  const tasks = [task('core', 'test', 1), task('chat', 'test', 0), task('ports', 'test', 1)];
  const tests = [
    failure('ports', 'src/b.test.ts'),
    failure('core', 'src/a.test.ts', 'one'),
    failure('core', 'src/a.test.ts', 'two'),
  ];
  assert.deepEqual(failureList(tasks, tests), [
    '',
    'Failures:',
    '',
    '@modelwire/core#test (core)',
    '  src/a.test.ts',
    '    x one',
    '      expected 1 to be 2',
    '    x two',
    '      expected 1 to be 2',
    '  run again: cd core && npx vitest run src/a.test.ts',
    '',
    '@modelwire/ports#test (ports)',
    '  src/b.test.ts',
    '    x adds',
    '      expected 1 to be 2',
    '  run again: cd ports && npx vitest run src/b.test.ts',
    '',
    '2 of 3 tasks failed.',
  ]);
});

test('A task that failed without a failed test is listed with its log; one that did not run is not listed', () => {
  const tasks = [task('core', 'lint', 2), task('core', 'test', 1), task('chat', 'build')];
  const lines = failureList(tasks, [failure('core', undefined, '(an error outside of the tests)')]);
  assert.ok(lines.includes('  output: core/.turbo/turbo-lint.log'));
  assert.ok(lines.includes('    x (an error outside of the tests)'));
  assert.ok(lines.includes('  output: core/.turbo/turbo-test.log'));
  assert.equal(lines.at(-1), '2 of 2 tasks failed.');
  assert.ok(!lines.join('\n').includes('chat'));
});

test('With many failed files, the command runs all tests of the package', () => {
  const tests = Array.from({ length: 6 }, (_, index) => failure('core', `src/${index}.test.ts`));
  assert.ok(failureList([task('core', 'test', 1)], tests).includes('  run again: cd core && npx vitest run'));
});

test('Tests that had failed before an interruption are listed', () => {
  const lines = failureList([], [failure('core', 'src/a.test.ts')]);
  assert.ok(lines.includes('tests of core') && lines.includes('    x adds'));
  assert.equal(lines.at(-1), 'The run was interrupted.');
});
