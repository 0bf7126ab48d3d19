import { core, more } from './conversation.ts';
import type { Replier } from './conversation.ts';

type Task = 'hello' | 'fibonacci' | 'factorial' | 'reverse';

/** What there is: small programs, written by hand, nothing generated. */
const programs: Record<string, Record<Task, string>> = {
  python: {
    hello: 'print("Hello, world!")\n',
    fibonacci: 'def fibonacci(n):\n    a, b = 0, 1\n    for _ in range(n):\n        a, b = b, a + b\n    return a\n',
    factorial:
      'def factorial(n):\n    product = 1\n    for i in range(2, n + 1):\n        product *= i\n    return product\n',
    reverse: 'def reverse(text):\n    return text[::-1]\n',
  },
  typescript: {
    hello: "console.log('Hello, world!');\n",
    fibonacci:
      'function fibonacci(n: number): number {\n  let [a, b] = [0, 1];\n  for (let i = 0; i < n; i++) [a, b] = [b, a + b];\n  return a;\n}\n',
    factorial:
      'function factorial(n: number): number {\n  let product = 1;\n  for (let i = 2; i <= n; i++) product *= i;\n  return product;\n}\n',
    reverse: "function reverse(text: string): string {\n  return [...text].reverse().join('');\n}\n",
  },
  javascript: {
    hello: "console.log('Hello, world!');\n",
    fibonacci:
      'function fibonacci(n) {\n  let [a, b] = [0, 1];\n  for (let i = 0; i < n; i++) [a, b] = [b, a + b];\n  return a;\n}\n',
    factorial:
      'function factorial(n) {\n  let product = 1;\n  for (let i = 2; i <= n; i++) product *= i;\n  return product;\n}\n',
    reverse: "function reverse(text) {\n  return [...text].reverse().join('');\n}\n",
  },
};
const proper: Record<string, string> = { python: 'Python', typescript: 'TypeScript', javascript: 'JavaScript' };
const tasks: readonly (readonly [RegExp, Task, string])[] = [
  [/fibonacci/i, 'fibonacci', 'the Fibonacci numbers'],
  [/factorial/i, 'factorial', 'the factorial'],
  [/revers/i, 'reverse', 'reversing a text'],
  [/hello,? world/i, 'hello', 'greeting the world'],
];

export const code: Replier = ({ head }) => {
  const asked =
    /\b(?:code|program|function|script|snippet|python|javascript|typescript)\b/i.test(head) &&
    /\b(?:write|show|give|create|make|implement|code|program|example|how)\b/i.test(head);
  if (!asked) return undefined;
  const wished = /python|typescript|javascript/i.exec(head)?.[0].toLowerCase();
  const other = /\b(?:rust|go|java|c\+\+|ruby|php|swift|kotlin|haskell|bash|sql)\b/i.exec(head)?.[0];
  const language = wished ?? 'javascript';
  const task = tasks.find(([pattern]) => pattern.test(head));
  const [, name, noun] = task ?? tasks[3] ?? [/$/, 'hello' as const, 'greeting the world'];
  const opening =
    task === undefined
      ? 'I am a simulator and cannot write new programs, so here is one that I know:\n\n'
      : wished === undefined && other !== undefined
        ? `I have nothing in ${other}, so here is some ${proper[language] ?? language} for ${noun}:\n\n`
        : `Here is some ${proper[language] ?? language} for ${noun}:\n\n`;
  return {
    lines: [
      core(opening),
      core(`\`\`\`${language}\n${programs[language]?.[name] ?? ''}\`\`\``),
      more(
        '\n\nI keep a few such programs by heart; they are not made for you.',
        '\n\nIt comes from a short list of programs that I have by heart.',
      ),
    ],
    word: name,
  };
};
