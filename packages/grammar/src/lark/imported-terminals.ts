const INT = '[0-9]+';
const DECIMAL = `(?:${INT}\\.(?:${INT})?|\\.${INT})`;
const EXPONENT = `[eE][+-]?${INT}`;
const FLOAT = `(?:${INT}${EXPONENT}|${DECIMAL}(?:${EXPONENT})?)`;
const NUMBER = `(?:${FLOAT}|${INT})`;

/** The terminals of `%import common.…` as regular expressions. Letters are ASCII; strings contain no line breaks. */
export const COMMON: ReadonlyMap<string, string> = new Map([
  ['DIGIT', '[0-9]'],
  ['HEXDIGIT', '[0-9A-Fa-f]'],
  ['INT', INT],
  ['SIGNED_INT', `[+-]?${INT}`],
  ['DECIMAL', DECIMAL],
  ['FLOAT', FLOAT],
  ['SIGNED_FLOAT', `[+-]?${FLOAT}`],
  ['NUMBER', NUMBER],
  ['SIGNED_NUMBER', `[+-]?${NUMBER}`],
  ['ESCAPED_STRING', '"(?:[^"\\\\\\n]|\\\\[^\\n])*"'],
  ['LCASE_LETTER', '[a-z]'],
  ['UCASE_LETTER', '[A-Z]'],
  ['LETTER', '[A-Za-z]'],
  ['WORD', '[A-Za-z]+'],
  ['CNAME', '[_A-Za-z][_A-Za-z0-9]*'],
  ['WS_INLINE', '[ \\t]+'],
  ['WS', '[ \\t\\f\\r\\n]+'],
  ['CR', '\\r'],
  ['LF', '\\n'],
  ['NEWLINE', '(?:\\r?\\n)+'],
  ['SH_COMMENT', '#[^\\n]*'],
  ['CPP_COMMENT', '//[^\\n]*'],
  ['SQL_COMMENT', '--[^\\n]*'],
  ['C_COMMENT', '/\\*(?:[^*]|\\*+[^*/])*\\*+/'],
]);
