import { parsePattern } from '../pattern/parse.ts';
import type { Pattern } from '../pattern/pattern.ts';

/** Valid days of each month, with February 29 only in leap years. */
const DATE =
  '(?:\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))' +
  '|(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)';
/** With an offset, as RFC 3339 requires, and without leap seconds. */
const TIME = '(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,9})?(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)';
const CLOCK = '(?:\\d{1,9}H(?:\\d{1,9}M)?(?:\\d{1,9}S)?|\\d{1,9}M(?:\\d{1,9}S)?|\\d{1,9}S)';
const DURATION =
  `P(?:\\d{1,9}W|T${CLOCK}` +
  `|(?:\\d{1,9}Y(?:\\d{1,9}M(?:\\d{1,9}D)?)?|\\d{1,9}M(?:\\d{1,9}D)?|\\d{1,9}D)(?:T${CLOCK})?)`;
/** Labels have up to 31 characters (of the 63 allowed), and a name up to seven labels, so that it never exceeds 253 characters. */
const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,29}[A-Za-z0-9])?';
const HOSTNAME = `${LABEL}(?:\\.${LABEL}){0,6}`;
const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]";
/** Up to two atoms of 30 characters each, or any number of atoms with up to 32 characters and 31 dots; never more than 64 bytes. */
const LOCAL_PART = `(?:${ATOM}{1,30}(?:\\.${ATOM}{1,30})?|${ATOM}(?:\\.?${ATOM}){0,31})`;
const EMAIL = `${LOCAL_PART}@${LABEL}(?:\\.${LABEL}){1,3}`;
const OCTET = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const IPV4 = `${OCTET}(?:\\.${OCTET}){3}`;
const UUID = '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}';

/** All eight groups, or `::` in place of at least one. */
function ipv6(): string {
  const group = '[0-9a-fA-F]{1,4}';
  const shortened = Array.from({ length: 8 }, (_, before) => {
    const left = before === 0 ? '' : `${group}(?::${group}){${before - 1}}`;
    const after = 7 - before;
    const right = after === 0 ? '' : `(?:${group}(?::${group}){0,${after - 1}})?`;
    return `${left}::${right}`;
  });
  return [`${group}(?::${group}){7}`, ...shortened].join('|');
}

/** RFC 3986 in ASCII, with percent encoding. A host is a name or an IPv4 or IPv6 address. */
const PERCENT = '%[0-9A-Fa-f]{2}';
const UNRESERVED = 'A-Za-z0-9._~\\-';
const SUB_DELIMS = "!$&'()*+,;=";
const PCHAR = `(?:[${UNRESERVED}${SUB_DELIMS}:@]|${PERCENT})`;
const SEGMENTS = `(?:/${PCHAR}*)*`;
const USERINFO = `(?:(?:[${UNRESERVED}${SUB_DELIMS}:]|${PERCENT})*@)?`;
const AUTHORITY = `//${USERINFO}(?:(?:[${UNRESERVED}${SUB_DELIMS}]|${PERCENT})*|\\[(?:${ipv6()})\\])(?::\\d*)?${SEGMENTS}`;
const TAIL = `(?:\\?(?:${PCHAR}|[/?])*)?(?:#(?:${PCHAR}|[/?])*)?`;
/** A scheme, followed by an authority, or by a path of at least one character that does not start with two slashes. */
const URI = `[A-Za-z][A-Za-z0-9+.-]*:(?:${AUTHORITY}|/${PCHAR}+${SEGMENTS}|${PCHAR}+${SEGMENTS})${TAIL}`;
/** The first segment of a relative path has no colon. */
const FIRST_SEGMENT = `(?:[${UNRESERVED}${SUB_DELIMS}@]|${PERCENT})+`;
const URI_REFERENCE = `(?:${URI}|(?:${AUTHORITY}|/(?:${PCHAR}+${SEGMENTS})?|${FIRST_SEGMENT}${SEGMENTS})?${TAIL})`;
/** RFC 6570 in ASCII. */
const VARIABLE = `(?:[A-Za-z0-9_]|${PERCENT})(?:\\.?(?:[A-Za-z0-9_]|${PERCENT}))*(?:\\*|:[1-9]\\d{0,3})?`;
const EXPRESSION = `\\{[+#./;?&]?${VARIABLE}(?:,${VARIABLE})*\\}`;
const URI_TEMPLATE = `(?:[!#$&()*+,\\-./0-9:;=?@A-Z\\[\\]_a-z~]|${PERCENT}|${EXPRESSION})*`;
const JSON_POINTER = '(?:/(?:[^~/]|~[01])*)*';
const BASE64 = '(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?';

/** Regular expressions with groups of one level, classes without unusual ranges, and counts in ascending order. */
const DIGITS = Array.from({ length: 10 }, (_, digit) => digit);
const ASCENDING = [
  ...DIGITS.map((digit) => `${digit},[${digit}-9]`),
  ...DIGITS.slice(1, 9).map((digit) => `${digit}\\d,[${digit + 1}-9]\\d`),
  '\\d,[1-9]\\d',
  '\\d{1,2},[1-9]\\d{2}',
].join('|');
const REGEX_COUNT = `(?:[*+?]|\\{(?:\\d{1,3},?|${ASCENDING})\\})?`;
const REGEX_CLASS =
  '\\[\\^?(?:[A-Za-z0-9 _.,/@:;#!%=<>*+?|$(){}\'"]|a-z|A-Z|0-9|\\\\[dDsSwWtnr.*+?()\\[\\]{}|^$/\\\\-])+\\]';
const REGEX_TERM =
  '(?:(?:[A-Za-z0-9 _,:;!@#%&=<>~`\'"/.-]|\\\\[dDsSwWtnr.*+?()\\[\\]{}|^$/\\\\]|' +
  `${REGEX_CLASS})${REGEX_COUNT}|[\\^$]|\\\\[bB])`;

/** Formats that every mode enforces. */
const SOURCES: Record<string, string> = {
  'date-time': `${DATE}T${TIME}`,
  date: DATE,
  time: TIME,
  duration: DURATION,
  email: EMAIL,
  hostname: HOSTNAME,
  ipv4: IPV4,
  ipv6: ipv6(),
  uuid: UUID,
};

/** Formats that only non-strict mode enforces. */
const OTHER_SOURCES: Record<string, string> = {
  uri: URI,
  'uri-reference': URI_REFERENCE,
  iri: URI,
  'iri-reference': URI_REFERENCE,
  'uri-template': URI_TEMPLATE,
  'json-pointer': JSON_POINTER,
  'relative-json-pointer': `(?:0|[1-9]\\d{0,8})(?:#|${JSON_POINTER})`,
  byte: BASE64,
  regex: `(?:${REGEX_TERM}|\\((?:\\?:)?${REGEX_TERM}*(?:\\|${REGEX_TERM}+)*\\)${REGEX_COUNT}|\\|)*`,
};

export const FORMATS: readonly string[] = Object.keys(SOURCES);

/** Formats that OpenAPI defines but JSON Schema does not. */
export const OPENAPI_FORMATS: ReadonlySet<string> = new Set(['byte']);

/** The expression that the whole text of a format matches; `undefined` for an unknown format. */
export function formatPattern(format: string, strict: boolean): Pattern | undefined {
  const sources = strict || Object.hasOwn(SOURCES, format) ? SOURCES : OTHER_SOURCES;
  const source = Object.hasOwn(sources, format) ? sources[format] : undefined;
  return source === undefined ? undefined : parsePattern(source, 'ecma');
}
