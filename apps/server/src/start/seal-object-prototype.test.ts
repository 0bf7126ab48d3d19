import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

/** The output of a separate process: sealing would outlast the test. */
function printed(program: string): unknown {
  const sealing = new URL('./seal-object-prototype.ts', import.meta.url).href;
  const start = `import { sealObjectPrototype } from ${JSON.stringify(sealing)};`;
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', `${start}\n${program}`]);
  return JSON.parse(output.toString());
}

const pollute = `
  let error = 'none';
  try { JSON.parse('{}')['__proto__'].isAdmin = true; } catch (thrown) { error = thrown.name; }
  console.log(JSON.stringify([error, 'isAdmin' in {}]));`;

test('adding a property to Object.prototype throws', () => {
  expect(printed(pollute)).toEqual(['none', true]);
  expect(printed(`sealObjectPrototype(); ${pollute}`)).toEqual(['TypeError', false]);
});

test('objects can override inherited methods', () => {
  expect(
    printed(
      `sealObjectPrototype(); const own = {}; own.toString = () => 'own'; console.log(JSON.stringify(String(own)));`,
    ),
  ).toBe('own');
});
