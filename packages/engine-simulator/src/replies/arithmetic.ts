import { core, extra, more } from './conversation.ts';
import type { Replier } from './conversation.ts';

const words: readonly (readonly [RegExp, string])[] = [
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
const named: readonly (readonly [RegExp, string])[] = [
  [/\b(?:sum of|add)\s+(-?[\d.]+)\s+(?:and|to)\s+(-?[\d.]+)/i, '+'],
  [/\b(?:product of|multiply)\s+(-?[\d.]+)\s+(?:and|by|with)\s+(-?[\d.]+)/i, '*'],
  [/\b(?:difference (?:of|between))\s+(-?[\d.]+)\s+and\s+(-?[\d.]+)/i, '-'],
  [/\bdivide\s+(-?[\d.]+)\s+by\s+(-?[\d.]+)/i, '/'],
];

/** Sums: what stands in figures and the usual words for the four operations, powers and brackets. */
export const arithmetic: Replier = ({ head }) => {
  const expression = findExpression(head.slice(0, 300));
  if (expression === undefined) return undefined;
  const value = calculate(expression);
  if (value === undefined) return undefined;
  // An operator with a figure or a bracket before it stands between two numbers; any other minus is a sign.
  const shown = expression.replace(/\s+/g, '').replace(/(?<=[\d)])([+\-*/^])/g, ' $1 ');
  if (!Number.isFinite(value)) {
    return {
      lines: [
        core(
          `${shown} has no value: dividing by zero is undefined.`,
          `There is no answer to ${shown}: one cannot divide by zero.`,
        ),
      ],
      word: 'Undefined.',
    };
  }
  const result = String(Number(value.toPrecision(12)));
  return {
    lines: [
      core(`${shown} = ${result}.`, `That makes ${result}.`, `The answer is ${result}.`),
      more(' I worked it out with plain arithmetic, not by guessing.', ' A small calculator inside me did that.'),
      extra(
        ' Brackets come first, then powers, then multiplication and division, and at last addition and subtraction.',
      ),
    ],
    word: result,
  };
};

function findExpression(text: string): string | undefined {
  for (const [pattern, sign] of named) {
    const match = pattern.exec(text);
    if (match !== null) return `${match[1] ?? ''} ${sign} ${match[2] ?? ''}`;
  }
  let plain = text;
  for (const [pattern, sign] of words) plain = plain.replace(pattern, sign);
  const runs = plain.match(/[-+(]?[\d.(][\d.\s+\-*/^()]*/g) ?? [];
  return runs
    .map((run) => run.replace(/[\s.+\-*/^(]+$/, '').trim())
    .find((run) => /[\d)]\s*[-+*/^]\s*[-(]*\d/.test(run) && !/^\d+-\d+-\d+$/.test(run));
}

/** The value of an expression; undefined when it is none. Recursive descent over at most 300 characters. */
function calculate(text: string): number | undefined {
  const tokens = text.match(/\d+(?:\.\d+)?|\.\d+|[-+*/^()]/g) ?? [];
  if (tokens.join('') !== text.replace(/\s+/g, '')) return undefined;
  let at = 0;
  const sum = (): number => {
    let value = product();
    for (let sign = tokens[at]; sign === '+' || sign === '-'; sign = tokens[at]) {
      at++;
      const right = product();
      value = sign === '+' ? value + right : value - right;
    }
    return value;
  };
  const product = (): number => {
    let value = signed();
    for (let sign = tokens[at]; sign === '*' || sign === '/'; sign = tokens[at]) {
      at++;
      const right = signed();
      value = sign === '*' ? value * right : right === 0 ? Infinity : value / right;
    }
    return value;
  };
  const signed = (): number => {
    if (tokens[at] !== '-') return power();
    at++;
    return -signed();
  };
  const power = (): number => {
    const base = atom();
    if (tokens[at] !== '^') return base;
    at++;
    return base ** signed();
  };
  const atom = (): number => {
    const token = tokens[at++];
    if (token !== '(') return token === undefined ? NaN : Number(token);
    const value = sum();
    if (tokens[at++] !== ')') return NaN;
    return value;
  };
  const value = sum();
  return at === tokens.length && !Number.isNaN(value) ? value : undefined;
}
