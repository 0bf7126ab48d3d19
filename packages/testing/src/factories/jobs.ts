import { moderationCategories } from '@modelwire/ports';
import type {
  Batch,
  BatchError,
  BatchLate,
  BatchOutputLine,
  BatchWaitingFor,
  Moderation,
  ModerationByCategory,
  Video,
} from '@modelwire/schema/types';
import { deletedFactory, factory, pageFactory, tokenUsageFactory } from './factory.ts';
import type { Random } from './random.ts';

/** One field per moderation category. */
function byCategory<Value>(value: Value): ModerationByCategory<Value> {
  // Has all categories of the API.
  return Object.fromEntries(moderationCategories.map((name) => [name, value])) as ModerationByCategory<Value>;
}

export function batchFactories(random: Random) {
  const batch = factory<Batch>(() => {
    const created_at = random.time();
    return {
      id: random.id('batch_'),
      object: 'batch',
      endpoint: '/v1/chat/completions',
      errors: null,
      input_file_id: random.id('file-'),
      completion_window: '24h',
      status: 'completed',
      output_file_id: random.id('file-'),
      error_file_id: null,
      created_at,
      in_progress_at: created_at + 1,
      expires_at: created_at + 86_400,
      finalizing_at: created_at + 2,
      completed_at: created_at + 3,
      failed_at: null,
      expired_at: null,
      cancelling_at: null,
      cancelled_at: null,
      request_counts: { total: 2, completed: 2, failed: 0 },
      metadata: null,
    };
  });
  return {
    batch,
    batchList: pageFactory(batch),
    batchError: factory<BatchError>(() => ({ code: 'invalid_json_line', line: 1, message: 'No JSON.', param: null })),
    batchUsage: tokenUsageFactory(random, 1, 99),
    batchLate: factory<BatchLate>(() => {
      const since = random.time();
      return { since, expected_at: since + 600 };
    }),
    batchWaitingFor: factory<BatchWaitingFor>(() => ({
      reason: 'upstream_unavailable',
      message: 'The upstream cannot be reached.',
      since: random.time(),
      until: null,
    })),
    batchOutputLine: factory<BatchOutputLine>(() => ({
      id: random.id('batch_req_'),
      custom_id: random.id('line-'),
      response: { status_code: 200, request_id: random.id('req_'), body: {} },
      error: null,
    })),
  };
}

export function videoFactories(random: Random) {
  const video = factory<Video>(() => {
    const created_at = random.time();
    return {
      id: random.id('video_'),
      object: 'video',
      model: 'sora-2',
      status: 'completed',
      progress: 100,
      created_at,
      completed_at: created_at + 9,
      expires_at: created_at + 604_800,
      size: '720x1280',
      seconds: '4',
      prompt: random.sentence(),
      remixed_from_video_id: null,
      error: null,
    };
  });
  return {
    video,
    videoList: pageFactory(video),
    videoDeleted: deletedFactory(random, 'video_', 'video.deleted'),
  };
}

export function moderationFactories(random: Random) {
  return {
    moderation: factory<Moderation>(() => ({
      id: random.id('modr-'),
      model: 'omni-moderation-latest',
      results: [
        {
          flagged: false,
          categories: byCategory(false),
          category_scores: byCategory(0),
          category_applied_input_types: byCategory([]),
        },
      ],
    })),
  };
}
