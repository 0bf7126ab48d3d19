import { expect, test } from 'vitest';
import { formatGrammar, grammarProblem, toolGrammar } from './request-grammars.ts';

test('a text format and a custom tool with free text have no grammar', () => {
  expect(formatGrammar({ type: 'text' })).toBeUndefined();
  expect(toolGrammar({ type: 'custom', custom: { name: 'run' } }, 0)).toBeUndefined();
});

test('the schema of a response format is enforced in any case, that of a function only if it is strict', () => {
  const schema = { properties: { a: { type: 'string' } } };
  const format = formatGrammar({ type: 'json_schema', json_schema: { name: 'answer', schema } });
  expect(format?.source).toEqual({ type: 'json_schema', schema, strict: false, orObject: false });
  const loose = toolGrammar({ type: 'function', function: { name: 'look', parameters: schema } }, 1);
  expect(loose?.source).toMatchObject({ schema: { ...schema, type: 'object' }, strict: false, orObject: true });
  const strict = toolGrammar({ type: 'function', function: { name: 'look', parameters: schema, strict: true } }, 1);
  expect(strict?.source).toEqual({ type: 'json_schema', schema, strict: true, orObject: false });
});

test('a problem names the path of the invalid part, with indices for arrays', () => {
  const schema = { type: 'object', properties: { a: { anyOf: [{}, { pattern: '(?=x)' }] }, '0': {} } };
  const grammar = toolGrammar({ type: 'function', function: { name: 'look', parameters: schema } }, 2);
  if (!grammar) throw new Error('no grammar');
  expect(grammarProblem(grammar, { reason: 'no lookahead', path: '#/properties/a/anyOf/1/pattern' })).toMatchObject({
    code: 'invalid_json_schema',
    param: 'tools[2].function.parameters.properties.a.anyOf[1].pattern',
    message: "Invalid schema for function 'look': no lookahead.",
  });
  expect(grammarProblem(grammar, { reason: 'odd', path: '#/properties/0' }).param).toBe(
    'tools[2].function.parameters.properties.0',
  );
});

test('a problem of a text grammar has line and column', () => {
  const format = { type: 'grammar', grammar: { syntax: 'lark', definition: 'start:' } } as const;
  const grammar = toolGrammar({ type: 'custom', custom: { name: 'odd', format } }, 0);
  if (!grammar) throw new Error('no grammar');
  expect(grammarProblem(grammar, { reason: 'expected a rule', line: 1, column: 7 })).toMatchObject({
    code: 'invalid_grammar',
    param: 'tools[0].custom.format.grammar.definition',
    message: "Invalid grammar for custom tool 'odd' (line 1, column 7): expected a rule.",
  });
});
