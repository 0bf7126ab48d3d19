import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ApiError, DecodeError } from '@modelwire/client';
import type { ConformanceReport, EndpointScore } from '@modelwire/conformance';
import type { Define } from '../app.ts';
import { usageError } from '../cli-error.ts';
import { checkBaseURL, missingVersionHint } from '../config/base-url.ts';
import { readIfExists } from '../config/private-file.ts';
import { pathsOf } from '../config/paths.ts';
import { readSettings } from '../config/settings.ts';
import { openJournal } from '../conform/journal.ts';
import { followRun } from '../conform/progress.ts';
import { connect } from '../connection.ts';
import type { Client } from '../connection.ts';
import { EXIT } from '../exit-codes.ts';
import type { ExitCode } from '../exit-codes.ts';
import { readJsonObject } from '../json.ts';
import { loadOptionalPackage } from '../optional-package.ts';
import { choice, collect, numberFrom, positiveInteger } from '../option-values.ts';
import type { Printer } from '../output/printer.ts';
import type { Column } from '../output/table.ts';
import { durationText } from '../output/units.ts';
import { withExamples } from '../subcommand.ts';

const formats = ['html', 'json', 'md', 'junit', 'sarif', 'svg', 'badge'] as const;

const columns: readonly Column<EndpointScore>[] = [
  { head: 'endpoint', cell: ({ id }) => id },
  { head: 'route', shrinks: true, cell: ({ route }) => route },
  { head: 'score', right: true, cell: ({ score, served }) => (served === false ? 'not served' : scoreText(score)) },
  { head: 'pass', right: true, cell: ({ counts }) => counts.pass },
  { head: 'fail', right: true, cell: ({ counts }) => counts.fail },
  { head: 'skipped', right: true, cell: ({ counts }) => counts.skipped + counts.error },
];

export const define: Define = (command, app) => {
  withExamples(command, {
    'Score a server': 'modelwire conform http://127.0.0.1:8787/v1',
    'Write an HTML report': 'modelwire conform --report html -o conformance.html',
    'Fail a CI job when results change': 'modelwire conform --expected-failures expected-failures.txt',
    'Fail a CI job below a score of 95': 'modelwire conform --only chat,uploads --min 95 --report junit -o junit.xml',
  })
    .description(
      `Scores any OpenAI-compatible server, endpoint by endpoint and rule by rule. Everything that the checks create on the server is deleted afterwards, also after Ctrl-C. For each failure, the report shows the request, the response and the rule. Requires @modelwire/conformance.`,
    )
    .argument('[base-url]', 'Server to score (default: the configured one)')
    .option('--only <names>', 'Run only these endpoints or checks, such as chat,uploads (repeatable)', collect)
    .option('--except <names>', 'Skip these endpoints or checks (repeatable)', collect)
    .addOption(choice('--report <format>', 'Write a report in this format', formats))
    .option('-o, --output <file>', 'Write the report to a file (default: stdout)')
    .option(
      '--min <score>',
      'Exit with 10 if the score is lower (default: if any check fails)',
      numberFrom({ min: 0, max: 100 }),
    )
    .option(
      '--expected-failures <file>',
      'Exit with 10 if other checks fail than those in this file, or if one of those passes',
    )
    .option('--allow-unexpected-passes', 'Exit with 0 if checks pass that are expected to fail')
    .option('--update-expected-failures', 'Write the failures of this run to that file, and keep the reasons in it')
    .option('--spec <month>', 'Score by the specification of a month, such as 2025-06 (default: latest)')
    .option('--quick', 'Run only the most important checks, within a minute')
    .option('--shard <part>', 'Run a part of the checks, such as 2/4, the second of four')
    .option(
      '--resume <report>',
      'Take over the results of a JSON report, and run only other checks (repeatable)',
      collect,
    )
    .option('--seed <word>', 'Word that marks created objects, to repeat the same requests (default: random)')
    .option('--destructive', 'Also run checks that load the server: oversized bodies, bursts')
    .option('-m, --model <model>', 'Chat model to use')
    .option('--moderation-model <model>', "Moderation model (default: the server's)")
    .option('--video-model <model>', "Video model (default: the server's)")
    .option('-j, --parallel <n>', 'Number of concurrent checks (default: 4)', positiveInteger)
    .action(async (given, flags) => {
      const { terminal, print, signal, options } = app;
      const { runConformance, renderReport, parseExpectedFailures, renderExpectedFailures } = await loadOptionalPackage(
        '@modelwire/conformance',
        terminal.cwd,
        () => import('@modelwire/conformance'),
      );
      const { updateExpectedFailures: update = false } = flags;
      const expectedFile =
        flags.expectedFailures === undefined ? undefined : resolve(terminal.cwd, flags.expectedFailures);
      if (update && expectedFile === undefined) {
        throw usageError('--update-expected-failures requires --expected-failures.');
      }
      const expectedFailures =
        expectedFile === undefined
          ? undefined
          : await readExpected(expectedFile, update).then(parseExpectedFailures).catch(throwUsageError);
      const settings = await readSettings(terminal, { ...options, baseUrl: given ?? options.baseUrl });
      const baseURL = checkBaseURL(settings.baseURL.value);
      const apiKey = settings.key?.value;
      if (apiKey !== undefined) print.hide(apiKey);
      const reports = flags.resume ?? [];
      const resume = await Promise.all(reports.map((path) => readJsonObject('--resume', path, terminal.cwd)));
      // Reports of shards are also combined where the server no longer runs.
      if (resume.length === 0) await checkServer(connect(settings, options, print), signal);
      const terminated = new AbortController();
      const release = terminal.onTerminate(() => terminated.abort());
      const stop = AbortSignal.any([signal, terminated.signal]);
      stop.addEventListener('abort', () => print.note('Interrupted. Deleting what the checks created on the server.'));
      const journal = openJournal(pathsOf(terminal).state, { baseURL, apiKey });
      if (journal.leftovers.length > 0 && resume.length === 0)
        print.note('Objects that a killed run left will be deleted at the end.');
      const progress = followRun(app, stop, flags.shard);
      const report = await runConformance({
        baseURL,
        apiKey,
        only: namesOf(flags.only),
        except: namesOf(flags.except),
        expectedFailures,
        spec: flags.spec,
        quick: flags.quick,
        shard: flags.shard,
        resume,
        seed: flags.seed,
        destructive: flags.destructive,
        models: { chat: flags.model, moderation: flags.moderationModel, video: flags.videoModel },
        concurrency: flags.parallel,
        signal: stop,
        leftovers: journal.leftovers,
        onCreated: (object) => journal.add(object),
        onProgress: (state) => progress.update(state),
      })
        .catch(throwUsageError)
        .finally(() => {
          release();
          progress.end();
        });
      journal.close(report.notDeleted);
      const hint = report.counts.pass === 0 ? missingVersionHint(baseURL) : undefined;
      if (hint !== undefined) print.warn(hint);
      const { output } = flags;
      if (flags.report !== undefined) {
        const text = renderReport(report, flags.report);
        if (output === undefined || output === '-') await print.text(text);
        else await writeFile(resolve(terminal.cwd, output), text);
      }
      if (flags.report === undefined || output !== undefined) await printReport(report, print);
      if (update && expectedFile !== undefined && report.complete) {
        await writeFile(expectedFile, renderExpectedFailures(report, expectedFailures));
      }
      app.exitCode = stop.aborted ? EXIT.interrupted : exitCodeOf(report, flags);
    });
};

/** The text of the file of expected failures; empty if the run will create it. */
async function readExpected(path: string, isCreated: boolean): Promise<string> {
  return isCreated ? ((await readIfExists(path)) ?? '') : readFile(path, 'utf8');
}

/** Rethrows invalid options of the suite, such as a name in --only that is neither an endpoint nor a check, as usage errors. */
function throwUsageError(error: unknown): never {
  throw error instanceof TypeError ? usageError(error.message) : error;
}

/** Fails with its own exit code when the server cannot be reached or rejects the key: a score would show neither. */
async function checkServer({ models }: Client, signal: AbortSignal): Promise<void> {
  try {
    await models.list({ signal, maxRetries: 0 });
  } catch (error) {
    const answered = error instanceof DecodeError || (error instanceof ApiError && error.status !== 401);
    if (!answered) throw error;
  }
}

function namesOf(given: readonly string[] | undefined): readonly string[] | undefined {
  return given?.flatMap((names) => names.split(',')).filter((name) => name !== '');
}

async function printReport(report: ConformanceReport, print: Printer): Promise<void> {
  if (print.json) {
    await print.value(report);
    return;
  }
  const { endpoints, results, counts, score, durationMs, notes, notDeleted } = report;
  for (const { id, outcome, title, reason, section, fix, expectedFailure } of results) {
    if ((outcome !== 'fail' && outcome !== 'error') || expectedFailure !== undefined) continue;
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

interface ExitRules {
  readonly min?: number | undefined;
  readonly expectedFailures?: string | undefined;
  readonly allowUnexpectedPasses?: boolean | undefined;
  readonly updateExpectedFailures?: boolean | undefined;
}

function exitCodeOf({ unexpected, score, complete }: ConformanceReport, rules: ExitRules): ExitCode {
  // A check that did not run counts as a failure.
  if (!complete) return EXIT.unsuccessful;
  if (rules.min !== undefined && (score.served ?? 0) < rules.min) return EXIT.unsuccessful;
  if (rules.updateExpectedFailures) return EXIT.ok;
  const failuresCount = rules.min === undefined || rules.expectedFailures !== undefined;
  if (failuresCount && unexpected.failures.length > 0) return EXIT.unsuccessful;
  return unexpected.passes.length > 0 && !rules.allowUnexpectedPasses ? EXIT.unsuccessful : EXIT.ok;
}
