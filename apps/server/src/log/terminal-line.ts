import { styleText } from 'node:util';

interface LogLine extends Readonly<Record<string, unknown>> {
  readonly level: string;
  readonly time: string;
  readonly msg: string;
}

const levelColors = { fatal: 'red', error: 'red', warn: 'yellow', info: 'green' } as const;

/**
 * Formats a line of the log for a person: its time of day, level and message, what most people look for in a request, and the other fields as
 * `name=value`. Values stay in JSON unless they are plain words, so that text of clients cannot control the terminal.
 */
export function terminalLine(line: string): string {
  const { level, time, msg, method, route, status, durationMs, ...fields } = JSON.parse(line) as LogLine;
  const color = Object.entries(levelColors).find(([name]) => name === level)?.[1] ?? 'gray';
  const request = [method, route, status].filter((part) => part !== undefined).map(plain);
  const duration = durationMs === undefined ? [] : [`${plain(durationMs)} ms`];
  const others = Object.entries(fields).map(([name, value]) => `${name}=${plain(value)}`);
  const start = [style('gray', timeOfDay(time)), style(color, level), msg, ...request, ...duration];
  return `${[...start, style('gray', others.join(' '))].join(' ').trimEnd()}\n`;
}

/** In the time zone of the terminal, which need not be that of the log. */
function timeOfDay(time: string): string {
  return new Date(time).toLocaleTimeString('en-GB');
}

function plain(value: unknown): string {
  return typeof value === 'string' && /^[\w./:{}-]+$/.test(value) ? value : escapeNonAscii(JSON.stringify(value));
}

/** JSON has no control characters below U+0020, but others that a terminal may interpret. */
function escapeNonAscii(json: string): string {
  return json.replace(/[\u007F-\u009F\u2028\u2029\u202A-\u202E\u2066-\u2069]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** Without colors where `NO_COLOR` is set or the terminal has none. */
function style(color: Parameters<typeof styleText>[0], text: string): string {
  return text === '' ? '' : styleText(color, text, { stream: process.stderr });
}
