import { expect, test } from 'vitest';
import { pythonLiteral } from './python-literal.ts';

test('a JSON value becomes the expression of Python that formatters write', () => {
  expect(pythonLiteral({ text: `It's "a"\n\\`, list: [1.5, true, null], none: {} }, 1)).toBe(`{
        "text": "It's \\"a\\"\\n\\\\",
        "list": [
            1.5,
            True,
            None,
        ],
        "none": {},
    }`);
});
