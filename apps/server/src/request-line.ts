import type { RequestLogEntry } from '@modelwire/server';

type CompletionUsage = NonNullable<RequestLogEntry['usage']>;

export type RequestLineLevel = 'info' | 'warn' | 'error';

/** Fields that `requestLine` writes itself: those of most lines. */
type CommonField = 'requestId' | 'method' | 'route' | 'status' | 'durationMs' | 'keyId' | 'project' | 'model' | 'usage';

/** The other fields. */
const rareFields: readonly Exclude<keyof RequestLogEntry, CommonField>[] = [
  'traceId',
  'path',
  'upstream',
  'upstreamFailure',
  'safetyIdentifier',
  'batch',
  'flagged',
  'unsupportedTools',
  'budgetWarnings',
  'streamed',
  'queuedMs',
  'usageIsEstimated',
  'error',
  'outage',
  'aborted',
  'trace',
];

/**
 * The log line of a request: the same JSON that pino writes for the entry, built from constant parts, because the logger would take a
 * fifth of the time of a request.
 */
export function requestLine(level: RequestLineLevel, entry: RequestLogEntry, message: string): string {
  const { route, keyId, project, model, usage } = entry;
  let text =
    `{"level":"${level}","time":"${isoTime(Date.now())}","requestId":${quoted(entry.requestId)}` +
    `,"method":${quoted(entry.method)}${route === undefined ? '' : `,"route":${quoted(route)}`}` +
    `,"status":${entry.status},"durationMs":${tenths(entry.durationMs)}`;
  if (keyId !== undefined) text += `,"keyId":${quoted(keyId)}`;
  if (project !== undefined) text += `,"project":${quoted(project)}`;
  if (model !== undefined) text += `,"model":${quoted(model)}`;
  if (hasRareField(entry)) {
    for (const name of rareFields) {
      const value = entry[name];
      if (value !== undefined)
        text += `,"${name}":${typeof value === 'string' ? quoted(value) : JSON.stringify(value)}`;
    }
  }
  if (usage !== undefined) text += `,"usage":${usageText(usage)}`;
  return `${text},"msg":"${message}"}\n`;
}

/** Property accesses that are written out are several times as fast as accesses by the names of the list. */
function hasRareField(entry: RequestLogEntry): boolean {
  const some =
    entry.traceId ??
    entry.path ??
    entry.upstream ??
    entry.upstreamFailure ??
    entry.safetyIdentifier ??
    entry.batch ??
    entry.flagged ??
    entry.unsupportedTools ??
    entry.budgetWarnings ??
    entry.streamed ??
    entry.queuedMs ??
    entry.usageIsEstimated ??
    entry.error ??
    entry.outage ??
    entry.aborted ??
    entry.trace;
  return some !== undefined;
}

const plain = /^[ !#-[\]-~]*$/;

/** A JSON string. Control characters, such as line breaks, are escaped: a value cannot begin another line. */
function quoted(text: string): string {
  return plain.test(text) ? `"${text}"` : JSON.stringify(text);
}

/** Rounded to one decimal. Formatting integers takes a third of the time of formatting fractions. */
function tenths(value: number): string {
  const rounded = Math.round(value * 10);
  const integer = Math.trunc(rounded / 10);
  const decimal = rounded - integer * 10;
  return decimal === 0 ? `${integer}` : `${integer}.${decimal}`;
}

let lastTime = NaN;
let lastTimeText = '';

/** Formats a date once a millisecond. */
function isoTime(now: number): string {
  if (now !== lastTime) {
    lastTime = now;
    lastTimeText = new Date(now).toISOString();
  }
  return lastTimeText;
}

/** Takes a third of the time of `JSON.stringify`. */
function usageText(usage: CompletionUsage): string {
  const { prompt_tokens_details: prompt, completion_tokens_details: completion } = usage;
  let text = `{"prompt_tokens":${count(usage.prompt_tokens)},"completion_tokens":${count(usage.completion_tokens)},"total_tokens":${count(usage.total_tokens)}`;
  if (prompt) text += `,"prompt_tokens_details":{${promptDetails(prompt)}}`;
  if (completion) text += `,"completion_tokens_details":{${completionDetails(completion)}}`;
  return `${text}}`;
}

function promptDetails({ cached_tokens, audio_tokens }: NonNullable<CompletionUsage['prompt_tokens_details']>): string {
  const cached = cached_tokens === undefined ? '' : `"cached_tokens":${count(cached_tokens)}`;
  return audio_tokens === undefined ? cached : `${cached}${cached && ','}"audio_tokens":${count(audio_tokens)}`;
}

function completionDetails(details: NonNullable<CompletionUsage['completion_tokens_details']>): string {
  const { reasoning_tokens, audio_tokens, accepted_prediction_tokens, rejected_prediction_tokens } = details;
  let text = reasoning_tokens === undefined ? '' : `"reasoning_tokens":${count(reasoning_tokens)}`;
  if (audio_tokens !== undefined) text += `${text && ','}"audio_tokens":${count(audio_tokens)}`;
  if (accepted_prediction_tokens !== undefined) {
    text += `${text && ','}"accepted_prediction_tokens":${count(accepted_prediction_tokens)}`;
  }
  if (rejected_prediction_tokens !== undefined) {
    text += `${text && ','}"rejected_prediction_tokens":${count(rejected_prediction_tokens)}`;
  }
  return text;
}

/** Engines of others may give something else where a number is expected. */
function count(value: number): number | 'null' {
  return Number.isFinite(value) ? value : 'null';
}
