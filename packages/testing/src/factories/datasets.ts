import type {
  ComparisonError,
  ComparisonResult,
  ComparisonSide,
  Dataset,
  DatasetComparison,
  DatasetFile,
  DatasetRerun,
} from '@modelwire/schema/types';
import { factory } from './factory.ts';
import type { Random } from './random.ts';

export function datasetFactories(random: Random) {
  const datasetFile = factory<DatasetFile>(() => ({
    file_id: random.id('file-'),
    split: null,
    lines: 2,
    bytes: random.int(100, 999),
    sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  }));
  const comparisonResult = factory<ComparisonResult>(() => ({
    type: 'exact',
    scored: 2,
    failed: 0,
    errors: [],
    baseline_mean: 1,
    candidate_mean: 0.5,
    wins: 0,
    losses: 1,
    ties: 1,
    win_rate: 0.25,
    win_rate_interval: [0.04, 0.74],
    request_file_ids: [],
  }));
  const comparisonSide = factory<ComparisonSide>(() => ({
    replies: 2,
    errors: [],
    input_tokens: random.int(1, 99),
    output_tokens: random.int(1, 99),
    cost: null,
    mean_duration_ms: random.int(1, 999),
  }));
  return {
    datasetFile,
    comparisonResult,
    dataset: factory<Dataset>(() => ({
      id: random.id('file-'),
      object: 'dataset',
      name: 'dataset',
      created_at: random.time(),
      format: 'evaluation',
      filter: {},
      dataset: null,
      split: null,
      deduplicated: true,
      redacted: false,
      parameters: null,
      counts: { completions: 2, lines: 2, duplicates: 0, skipped: 0 },
      files: [datasetFile()],
    })),
    datasetRerun: factory<DatasetRerun>(() => ({
      id: random.id('batch_'),
      object: 'dataset.rerun',
      name: 'dataset again',
      dataset: random.id('file-'),
      parameters: {},
      batch_ids: [random.id('batch_')],
    })),
    comparisonError: factory<ComparisonError>(() => ({
      code: 'model_not_found',
      message: random.sentence(),
      cases: 1,
      case_ids: [random.id('chatcmpl-')],
    })),
    datasetItem: factory(() => ({
      item: {
        id: random.id('chatcmpl-'),
        created: random.time(),
        metadata: {},
        request: { messages: [{ role: 'user', content: random.sentence() }] },
      },
      sample: {
        model: 'simulator',
        output_text: 'Hello!',
        choices: [{ finish_reason: 'stop', message: { role: 'assistant', content: 'Hello!' } }],
        usage: null,
        duration_ms: random.int(1, 999),
      },
    })),
    datasetComparison: factory<DatasetComparison>(() => ({
      id: random.id('file-'),
      object: 'dataset.comparison',
      name: 'comparison',
      created_at: random.time(),
      dataset: random.id('file-'),
      candidate_batch_ids: [random.id('batch_')],
      baseline_batch_ids: null,
      counts: { cases: 2, told_apart: 1, different: 0, equal: 1 },
      scorers: [comparisonResult()],
      baseline: comparisonSide(),
      candidate: comparisonSide(),
      currency: 'usd',
      cases_file_id: random.id('file-'),
      csv_file_id: random.id('file-'),
    })),
  };
}
