import { describe } from 'vitest';
import { describeBackgroundResponses } from './background-responses.ts';
import { describeAudit } from './audit.ts';
import { describeBatchResults } from './batch-results.ts';
import { describeBatches } from './batches.ts';
import { describeBudgets } from './budgets.ts';
import { describeCompletions } from './completions.ts';
import { describeCompletionPages } from './completion-pages.ts';
import { describeConversations } from './conversations.ts';
import { describeExpiry } from './expiry.ts';
import { describeFiles } from './files.ts';
import { describeIdempotency } from './idempotency.ts';
import { describeJobs } from './jobs.ts';
import { describeKeys } from './keys.ts';
import { describeLedger } from './ledger.ts';
import { describeMetadata } from './metadata.ts';
import { describeDeletedCursors } from './deleted-cursors.ts';
import { describeReopening } from './reopening.ts';
import { describeResponses } from './responses.ts';
import type { StoresUnderTest } from './open-stores.ts';
import { describeRequestStats } from './request-stats.ts';
import { describeSessions } from './sessions.ts';
import { describeUploadEnds } from './upload-ends.ts';
import { describeUploads } from './uploads.ts';
import { describeUsage } from './usage.ts';
import { describeVideos } from './videos.ts';
import { describeWebhooks } from './webhooks.ts';

/** The contract of `Stores` as vitest tests. Every implementation passes all of them. */
export function describeStores(name: string, open: () => Promise<StoresUnderTest>): void {
  describe(name, () => {
    describeCompletions(open);
    describeCompletionPages(open);
    describeMetadata(open);
    describeKeys(open);
    describeBudgets(open);
    describeAudit(open);
    describeWebhooks(open);
    describeUsage(open);
    describeIdempotency(open);
    describeLedger(open);
    describeFiles(open);
    describeUploads(open);
    describeUploadEnds(open);
    describeJobs(open);
    describeBatches(open);
    describeBatchResults(open);
    describeVideos(open);
    describeResponses(open);
    describeBackgroundResponses(open);
    describeConversations(open);
    describeDeletedCursors(open);
    describeExpiry(open);
    describeSessions(open);
    describeRequestStats(open);
    describeReopening(open);
  });
}
