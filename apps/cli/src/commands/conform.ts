import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { ConformanceReport, EndpointScore } from '@modelwire/conformance';
import { ApiError, DecodeError } from '@modelwire/core';
import { createModels } from '@modelwire/models';
import { usageError } from '../cli-error.ts';
import { defineCommand } from '../command.ts';
import type { Context } from '../command.ts';
import { modelFlag } from '../model-flag.ts';
import { checkBaseURL, missingVersionHint } from '../config/base-url.ts';
import { readSettings } from '../config/settings.ts';
import { connect } from '../connection.ts';
import { EXIT } from '../exit-codes.ts';
import { loadOptionalPackage } from '../optional-package.ts';
import type { Printer } from '../output/printer.ts';
import type { Column } from '../output/table.ts';
import { durationText } from '../output/units.ts';

const FORMATS = ['html', 'json', 'md', 'junit', 'svg'] as const;

const columns: readonly Column<EndpointScore>[] = [
  { head: 'endpoint', cell: ({ id }) => id },
  { head: 'route', shrinks: true, cell: ({ route }) => route },
  { head: 'score', right: true, cell: ({ score, served }) => (served === false ? 'not served' : scoreText(score)) },
  { head: 'pass', right: true, cell: ({ counts }) => counts.pass },
  { head: 'fail', right: true, cell: ({ counts }) => counts.fail },
  { head: 'skipped', right: true, cell: ({ counts }) => counts.skipped + counts.error },
];

const flags = {
  only: {
    type: 'string',
    multiple: true,
    value: 'names',
    description: 'Run only these endpoints or checks, such as chat,uploads',
  },
  except: { type: 'string', multiple: true, value: 'names', description: 'Skip these endpoints or checks' },
  report: { type: 'string', choices: FORMATS, description: 'Write a report in this format' },
  output: {
    type: 'string',
    short: 'o',
    value: 'file',
    completes: 'file',
    description: 'Write the report to a file (default: stdout)',
  },
  min: {
    type: 'number',
    value: 'score',
    min: 0,
    max: 100,
    description: 'Exit with 10 if the score is lower (default: if any check fails)',
  },
  destructive: { type: 'boolean', description: 'Also run checks that load the server: oversized bodies, bursts' },
  model: modelFlag('Chat model to use'),
  'moderation-model': { type: 'string', value: 'id', description: "Moderation model (default: the server's)" },
  'video-model': { type: 'string', value: 'id', description: "Video model (default: the server's)" },
  parallel: {
    type: 'integer',
    short: 'j',
    value: 'n',
    min: 1,
    description: 'Number of concurrent checks (default: 4)',
  },
} as const;

export const command = defineCommand({
  arguments: [{ name: 'base-url', optional: true, description: 'Server to score (default: the configured one)' }],
  flags,
  description: `Scores any OpenAI-compatible server, endpoint by endpoint and rule by rule. Everything that the checks create on the server is
deleted afterwards. For each failure, the report shows the request, the response and the rule. Requires @modelwire/conformance.`,
  examples: [
    { what: 'Score a server', line: 'modelwire conform http://127.0.0.1:8787/v1' },
    { what: 'Write an HTML report', line: 'modelwire conform --report html -o conformance.html' },
    {
      what: 'Fail a CI job below a score of 95',
      line: 'modelwire conform --only chat,uploads --min 95 --report junit -o junit.xml',
    },
  ],
  async run(context) {
    const { args, flags, terminal, print, signal } = context;
    const { runConformance, renderReport } = await loadOptionalPackage(
      '@modelwire/conformance',
      terminal.cwd,
      () => import('@modelwire/conformance'),
    );
    const [given] = args;
    const settings = await readSettings(terminal, { ...flags, ...(given !== undefined && { 'base-url': given }) });
    const baseURL = checkBaseURL(settings.baseURL.value);
    const apiKey = settings.key?.value;
    if (apiKey !== undefined) print.hide(apiKey);
    await checkServer(connect(settings, flags, print), signal);
    const report = await runConformance({
      baseURL,
      apiKey,
      only: namesOf(flags.only),
      except: namesOf(flags.except),
      destructive: flags.destructive,
      models: { chat: flags.model, moderation: flags['moderation-model'], video: flags['video-model'] },
      concurrency: flags.parallel,
      signal,
      onResult: ({ id }, progress) => print.progress.update({ ...progress, label: id, unit: 'count' }),
    }).catch((error: unknown) => {
      // Invalid options, such as a name in --only that is neither an endpoint nor a check.
      throw error instanceof TypeError ? usageError(error.message) : error;
    });
    print.progress.clear();
    const hint = report.counts.pass === 0 ? missingVersionHint(baseURL) : undefined;
    if (hint !== undefined) print.warn(hint);
    if (flags.report !== undefined) await writeReport(renderReport(report, flags.report), context);
    if (flags.report === undefined || flags.output !== undefined) await printReport(report, print);
    return signal.aborted ? EXIT.interrupted : exitCodeOf(report, flags.min);
  },
});

/** Fails with its own exit code when the server cannot be reached or rejects the key: a score would show neither. */
async function checkServer(transport: Parameters<typeof createModels>[0], signal: AbortSignal): Promise<void> {
  try {
    await createModels(transport).list({ signal, maxRetries: 0 });
  } catch (error) {
    const answered = error instanceof DecodeError || (error instanceof ApiError && error.status !== 401);
    if (!answered) throw error;
  }
}

function namesOf(given: readonly string[]): readonly string[] | undefined {
  return given.length === 0 ? undefined : given.flatMap((names) => names.split(',')).filter((name) => name !== '');
}

async function writeReport(text: string, { flags: { output }, terminal, print }: Context<typeof flags>): Promise<void> {
  if (output === undefined || output === '-') await print.text(text);
  else await writeFile(resolve(terminal.cwd, output), text);
}

async function printReport(report: ConformanceReport, print: Printer): Promise<void> {
  if (print.json) {
    await print.value(report);
    return;
  }
  const { endpoints, results, counts, score, durationMs, notes, notDeleted } = report;
  for (const { id, outcome, title, reason, section, fix } of results) {
    if (outcome !== 'fail' && outcome !== 'error') continue;
    await print.raw(`${print.style('red', '✗')} ${id}\n`);
    await print.text(`  ${title} (${section})\n  ${reason ?? ''}\n${fix === undefined ? '' : `  → ${fix}\n`}\n`);
  }
  await print.rows(endpoints, columns, 'No checks were run.');
  const total = `Score: ${scoreText(score.all)} of the API, ${scoreText(score.served)} of the endpoints that are served`;
  await print.text(
    `\n${total}. ${counts.pass} passed, ${counts.fail} failed, ${counts.skipped} skipped in ${durationText(durationMs / 1000)}.\n`,
  );
  for (const note of notes) print.note(note);
  for (const resource of notDeleted) print.warn(`not deleted from the server: ${resource}`);
}

function scoreText(score: number | null): string {
  return score === null ? 'unknown' : `${score} %`;
}

function exitCodeOf({ counts, score, complete }: ConformanceReport, min: number | undefined): number | undefined {
  // A check that did not run counts as a failure.
  if (!complete) return EXIT.unsuccessful;
  if (min === undefined) return counts.fail + counts.error > 0 ? EXIT.unsuccessful : undefined;
  return (score.served ?? 0) < min ? EXIT.unsuccessful : undefined;
}
