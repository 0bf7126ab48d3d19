import { GrammarError } from '../errors.ts';

export type SourcePosition = { line: number; column: number };

export type LarkToken = SourcePosition & {
  kind: 'rule' | 'terminal' | 'string' | 'regex' | 'number' | 'directive' | 'punctuation' | 'newline' | 'end';
  /** The text; for strings and regular expressions the content between the delimiters. */
  text: string;
  /** The flags after a string or a regular expression. */
  flags: string;
};

const MAX_LENGTH = 100_000;

const TOKEN_PATTERNS: readonly [kind: LarkToken['kind'] | 'space', pattern: RegExp][] = [
  ['space', /[ \t\f\r]+|(?:\/\/|#)[^\n]*/y],
  ['newline', /\n/y],
  ['rule', /_?[a-z][a-z0-9_]*/y],
  ['terminal', /_?[A-Z][A-Z0-9_]*/y],
  ['string', /"((?:[^"\\\n]|\\[^\n])*)"([A-Za-z]*)/y],
  ['regex', /\/((?:[^/\\\n]|\\[^\n])+)\/([A-Za-z]*)/y],
  ['number', /-?\d+/y],
  ['directive', /%[A-Za-z_]+/y],
  ['punctuation', /->|\.\.|[|:()[\]{}?*+~.,!@<>=&$-]/y],
];

export function lexLark(source: string): LarkToken[] {
  if (source.length > MAX_LENGTH) {
    throw new GrammarError('limit', `a definition can have at most ${MAX_LENGTH} characters`, { line: 1, column: 1 });
  }
  const tokens: LarkToken[] = [];
  let line = 1;
  let lineStart = 0;
  for (let at = 0; at < source.length;) {
    const position = { line, column: at - lineStart + 1 };
    const found = matchToken(source, at);
    if (found === undefined) throw new GrammarError('syntax', lexErrorReason(source, at), position);
    const { kind, match } = found;
    at += match[0].length;
    if (kind === 'newline') {
      line++;
      lineStart = at;
    }
    if (kind === 'space') continue;
    const quoted = kind === 'string' || kind === 'regex';
    tokens.push({
      kind,
      text: (quoted ? match[1] : match[0]) ?? '',
      flags: (quoted ? match[2] : '') ?? '',
      ...position,
    });
  }
  const position = { line, column: source.length - lineStart + 1 };
  tokens.push(
    { kind: 'newline', text: '\n', flags: '', ...position },
    { kind: 'end', text: '', flags: '', ...position },
  );
  return tokens;
}

/** The patterns of the tokens that can start with each ASCII character: most tokens need one attempt. */
const PATTERNS_BY_CHAR_CODE = Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code);
  const firstChars: readonly [kind: LarkToken['kind'] | 'space', firstChar: RegExp][] = [
    ['space', /[ \t\f\r/#]/],
    ['newline', /\n/],
    ['rule', /[_a-z]/],
    ['terminal', /[_A-Z]/],
    ['string', /"/],
    ['regex', /\//],
    ['number', /[-\d]/],
    ['directive', /%/],
    ['punctuation', /[^A-Za-z0-9_\s"/#%]/],
  ];
  const kinds = new Set(firstChars.filter(([, firstChar]) => firstChar.test(char)).map(([kind]) => kind));
  return TOKEN_PATTERNS.filter(([kind]) => kinds.has(kind));
});

function matchToken(source: string, at: number) {
  for (const [kind, pattern] of PATTERNS_BY_CHAR_CODE[source.charCodeAt(at)] ?? []) {
    pattern.lastIndex = at;
    const match = pattern.exec(source);
    if (match) return { kind, match };
  }
  return undefined;
}

function lexErrorReason(source: string, at: number): string {
  const char = String.fromCodePoint(source.codePointAt(at) ?? 0);
  if (char === '"') return 'the string is not closed on its line';
  if (char === '/') return 'the regular expression is not closed on its line, or is empty';
  return `unexpected character "${char}"`;
}
