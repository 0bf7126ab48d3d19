import type { Log } from 'sarif';
import { expect, test } from 'vitest';
import { renderReport } from './render.ts';
import { failureText } from './words.ts';
import type { CheckResult, ConformanceReport } from '../report.ts';

const failure: CheckResult = {
  id: 'chat.completions.create/param.n',
  endpoint: 'chat.completions.create',
  title: 'n gives so many choices',
  section: 'Create chat completion',
  requirement: 'CHAT-2',
  since: '2025-06',
  weight: 3,
  certainty: 'sure',
  outcome: 'fail',
  durationMs: 12,
  reason: 'There are 1 choices & <no> more.',
  sent: { method: 'POST', path: '/chat/completions', headers: {}, body: '{"n":3}' },
  response: { status: 200, contentType: 'application/json', requestId: 'req_1', body: '```\n<b>' },
  expectation: 'Number of choices.',
  fix: 'Honour n.',
};
const pass: CheckResult = {
  ...failure,
  id: 'models.list/some',
  endpoint: 'models.list',
  outcome: 'pass',
  title: 'There is a model',
};
const opinion: CheckResult = { ...failure, id: 'models.list/other', endpoint: 'models.list', certainty: 'opinion' };
const counts = { pass: 1, fail: 1, skipped: 0, error: 0 };

const report: ConformanceReport = {
  kind: 'modelwire.conformance',
  version: 1,
  baseURL: 'http://127.0.0.1:1/v1',
  startedAt: '2026-11-21T12:00:00.000Z',
  durationMs: 1234,
  requests: 5,
  complete: true,
  only: [],
  spec: 'latest',
  quick: false,
  shard: '1/1',
  destructive: false,
  models: { chat: 'm' },
  score: { all: 61.5, served: 80, sure: 79.9 },
  counts,
  unexpected: { failures: [failure.id, opinion.id], passes: [] },
  endpoints: [
    {
      id: 'chat.completions.create',
      route: 'POST /chat/completions',
      section: 'Create chat completion',
      served: true,
      score: 61.5,
      weight: 9,
      counts,
    },
    {
      id: 'videos.remix',
      route: 'POST /videos/{video_id}/remix',
      section: 'Remix video',
      served: false,
      score: 0,
      weight: 3,
      counts,
    },
    { id: 'models.list', route: 'GET /models', section: 'companion', served: true, score: 100, weight: 1, counts },
  ],
  results: [failure, pass, opinion],
  notes: ['A note | with marks'],
  notDeleted: ['batch batch_1'],
};

test('the JSON is the report', () => {
  expect(JSON.parse(renderReport(report, 'json'))).toEqual(report);
});

test('the page includes the image, loads no resources and shows everything about a failure', () => {
  const page = renderReport(report, 'html');
  expect(page).toContain('<svg ');
  expect(page.replaceAll('http://www.w3.org/2000/svg', '').replaceAll(report.baseURL, '')).not.toMatch(
    /https?:|<script|<link|<img|@import|url\(/,
  );
  for (const said of [
    '61.5 %',
    '{&quot;n&quot;:3}',
    '&lt;no&gt;',
    'Number of choices.',
    'Honour n.',
    'API: Create chat completion',
  ]) {
    expect(page).toContain(said);
  }
  expect(page).not.toContain('<no>');
});

test('a failure has its rule, what was expected, a fix and the exchange', () => {
  expect(failureText(failure)).toEqual({
    source: 'API: Create chat completion · sure: stated by the API specification · CHAT-2, since 2025-06',
    paragraphs: ['Expected: Number of choices.', 'Fix: Honour n.'],
    exchange: [
      ['Request', 'POST /chat/completions\n\n{"n":3}'],
      ['Response', '200 · application/json · req_1\n\n```\n<b>'],
    ],
  });
  expect(failureText({ ...pass, expectation: pass.title }).paragraphs).toEqual(['Fix: Honour n.']);
});

test('the image has a bar for each served endpoint', () => {
  const picture = renderReport(report, 'svg');
  expect(picture.match(/<g>/g)).toHaveLength(3);
  expect(picture).toContain('not served');
  expect(picture).toContain('width="202.9"');
});

test('the Markdown has a table and escapes markup of the server', () => {
  const text = renderReport(report, 'md');
  expect(text).toContain('| `POST /chat/completions` | yes | 61.5 % | 1 | 1 | 0 | 0 |');
  expect(text).toContain('````text');
  expect(text).toContain('A note \\| with marks');
  expect(text).toContain('&lt;no\\>');
});

test('the JUnit XML has a suite for each endpoint; failed opinions are skipped', () => {
  const xml = renderReport(report, 'junit');
  expect(xml).toContain('tests="3" failures="1" errors="0" skipped="1"');
  expect(xml.match(/<testsuite /g)).toHaveLength(3);
  expect(xml.match(/<failure /g)).toHaveLength(1);
  expect(xml).toContain('&lt;no&gt;');
});

test('in JUnit XML, an expected failure is skipped, and its pass is a failure', () => {
  const results = [
    { ...failure, expectedFailure: 'n is not supported' },
    { ...pass, expectedFailure: '' },
  ];
  const xml = renderReport({ ...report, results }, 'junit');
  expect(xml).toContain('tests="2" failures="1" errors="0" skipped="1"');
  expect(xml).toContain('<skipped message="Expected failure (n is not supported): There are 1 choices');
  expect(renderReport({ ...report, results }, 'md')).toContain('Expected failure (n is not supported)');
  expect(renderReport({ ...report, results }, 'html')).toContain('Expected failure (n is not supported)');
  expect(xml).toContain('<failure type="sure" message="It passes, but is expected to fail');
});

test('SARIF has a result for each failure; expected ones are suppressed, and unexpected passes are results', () => {
  const results = [
    failure,
    { ...opinion, expectedFailure: 'not planned' },
    { ...pass, expectedFailure: '' },
    { ...pass, id: 'models.list/more' },
  ];
  const log = JSON.parse(renderReport({ ...report, results }, 'sarif')) as Log;
  const [run] = log.runs;
  expect(run?.tool.driver.rules?.map(({ id }) => id)).toEqual([failure.id, opinion.id, pass.id]);
  expect(run?.results?.map(({ ruleId, level, suppressions }) => [ruleId, level, suppressions?.[0]])).toEqual([
    [failure.id, 'error', undefined],
    [opinion.id, 'note', { kind: 'external', justification: 'not planned' }],
    [pass.id, 'error', undefined],
  ]);
  expect(run?.results?.[0]).toMatchObject({
    message: { text: failure.reason },
    webRequest: { method: 'POST', target: `${report.baseURL}/chat/completions`, body: { text: '{"n":3}' } },
    webResponse: { statusCode: 200 },
  });
});

test('the badge has the score of the served endpoints', () => {
  expect(JSON.parse(renderReport(report, 'badge'))).toMatchObject({
    schemaVersion: 1,
    message: '80 %',
    color: 'yellow',
  });
  expect(renderReport({ ...report, complete: false }, 'badge')).toContain('not complete');
});
