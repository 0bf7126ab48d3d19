import type { Conversation } from '../prompt/conversation.ts';
import { always, medium } from './reply.ts';
import type { Reply } from './reply.ts';

const replacements: readonly (readonly [RegExp, string])[] = [
  [/\b(?:sum of|add)\s+(-?[\d.]+)\s+(?:and|to)\s+(-?[\d.]+)/i, '$1 + $2'],
  [/\b(?:product of|multiply)\s+(-?[\d.]+)\s+(?:and|by|with)\s+(-?[\d.]+)/i, '$1 * $2'],
  [/\bdifference (?:of|between)\s+(-?[\d.]+)\s+and\s+(-?[\d.]+)/i, '$1 - $2'],
  [/\bdivide\s+(-?[\d.]+)\s+by\s+(-?[\d.]+)/i, '$1 / $2'],
  [/\bmultiplied by\b|\btimes\b|[×·]/gi, '*'],
  [/\bdivided by\b|\bover\b|÷/gi, '/'],
  [/\bplus\b/gi, '+'],
  [/\bminus\b|−/gi, '-'],
  [/\bto the power of\b|\*\*/gi, '^'],
  [/(\d)\s*%\s*of\b/gi, '$1/100*'],
  [/\bsquared\b/gi, '^2'],
  [/(\d)\s*x\s*(?=\d)/gi, '$1*'],
  [/(\d),(?=\d{3}\b)/g, '$1'],
];

/** Replaces the words of operations by their operators. */
export function withSigns(text: string): string {
  return replacements.reduce((out, [pattern, sign]) => out.replace(pattern, sign), text);
}

/** Computes the four operations, powers and brackets. */
export function arithmetic({ head }: Conversation): Reply | undefined {
  const runs = withSigns(head.slice(0, 300)).match(/[-+(]?[\d.(][\d.\s+\-*/^()]*/g) ?? [];
  const expression = runs
    .map((run) => run.replace(/[\s.+\-*/^(]+$/, '').trim())
    .find((run) => /[\d)]\s*[-+*/^]\s*[-(]*\d/.test(run) && !/^\d+-\d+-\d+$/.test(run));
  const value = expression === undefined ? undefined : calculate(expression);
  if (expression === undefined || value === undefined) return undefined;
  // An operator after a digit or a bracket is binary; any other minus is a sign.
  const shown = expression.replace(/\s+/g, '').replace(/(?<=[\d)])([+\-*/^])/g, ' $1 ');
  if (!Number.isFinite(value)) {
    return { lines: [always(`${shown} has no value: division by zero is undefined.`)], word: 'Undefined' };
  }
  const result = String(Number(value.toPrecision(12)));
  return {
    lines: [
      always(`${shown} = ${result}.`, `That makes ${result}.`, `The answer is ${result}.`),
      medium(' The Modelwire simulator calculated this.', ' This was calculated by the Modelwire simulator.'),
    ],
    word: result,
  };
}

/** The value of an expression; undefined when it is not one. Precedence climbing. */
function calculate(text: string): number | undefined {
  const tokens = text.match(/\d+(?:\.\d+)?|\.\d+|[-+*/^()]/g) ?? [];
  if (tokens.join('') !== text.replace(/\s+/g, '')) return undefined;
  let at = 0;
  const precedence: Readonly<Record<string, number>> = { '+': 1, '-': 1, '*': 2, '/': 2, '^': 4 };
  const operand = (): number => {
    const token = tokens[at++] ?? '';
    if (token === '-') return -expression(3);
    if (token !== '(') return Number.parseFloat(token);
    const value = expression(1);
    return tokens[at++] === ')' ? value : NaN;
  };
  const expression = (lowest: number): number => {
    let left = operand();
    for (let sign = tokens[at] ?? ''; (precedence[sign] ?? 0) >= lowest; sign = tokens[at] ?? '') {
      at++;
      // Powers are grouped from the right.
      const right = expression(sign === '^' ? 3 : (precedence[sign] ?? 0) + 1);
      if (sign === '+') left += right;
      else if (sign === '-') left -= right;
      else if (sign === '*') left *= right;
      else if (sign === '/') left = right === 0 ? Infinity : left / right;
      else left **= right;
    }
    return left;
  };
  const value = expression(1);
  return at === tokens.length && !Number.isNaN(value) ? value : undefined;
}
