import type { Check } from './check.ts';
import { adversarialChecks } from './checks/adversarial.ts';
import { batchChecks } from './checks/batches.ts';
import { chatChecks } from './checks/chat.ts';
import { contractChecks } from './checks/contract.ts';
import { conversationChecks } from './checks/conversations.ts';
import { embeddingChecks } from './checks/embeddings.ts';
import { fileChecks } from './checks/files.ts';
import { httpChecks } from './checks/http.ts';
import { idempotencyChecks } from './checks/idempotency.ts';
import { messageChecks } from './checks/messages.ts';
import { modelChecks } from './checks/models.ts';
import { moderationChecks } from './checks/moderations.ts';
import { rateLimitChecks } from './checks/rate-limits.ts';
import { responseChecks } from './checks/responses.ts';
import { storedChecks } from './checks/stored.ts';
import { textCompletionChecks } from './checks/text-completions.ts';
import { uploadChecks } from './checks/uploads.ts';
import { videoChecks } from './checks/videos.ts';
import type { Settings } from './options.ts';
import { isInSpec } from './requirements/find-requirement.ts';

export const allChecks = (): readonly Check[] => [
  ...contractChecks(),
  ...chatChecks,
  ...adversarialChecks,
  ...storedChecks,
  ...responseChecks,
  ...conversationChecks,
  ...textCompletionChecks,
  ...messageChecks,
  ...embeddingChecks,
  ...moderationChecks,
  ...batchChecks,
  ...uploadChecks,
  ...fileChecks,
  ...videoChecks,
  ...modelChecks,
  ...idempotencyChecks,
  ...httpChecks,
  // The last that run alone: they use up limits.
  ...rateLimitChecks,
];

/** Whether a word selects a check: the first words of its endpoint (`chat`, `uploads.complete`) or a prefix of its ID. */
const matches = (selector: string, { id, endpoint }: Check): boolean =>
  endpoint === selector || endpoint.startsWith(`${selector}.`) || (selector.includes('/') && id.startsWith(selector));

/** Whether a quick run has the check: it counts, has more than one point, waits for nothing, and costs and loads little. */
const isQuick = ({ endpoint, weight, certainty, phase, destructive }: Check): boolean =>
  weight > 1 && certainty !== 'opinion' && phase !== 'jobs' && !destructive && !endpoint.startsWith('videos.');

/** All checks of the run, in the order of the report. */
export function selectChecks({
  only,
  except,
  quick,
  spec,
  shard,
  expectedFailures,
}: Pick<Settings, 'only' | 'except' | 'quick' | 'spec' | 'shard' | 'expectedFailures'>): readonly Check[] {
  const checks = allChecks();
  const ids = new Set(checks.map(({ id }) => id));
  for (const id of expectedFailures.keys()) {
    if (!ids.has(id)) throw new TypeError(`expectedFailures: no check has the ID '${id}'; remove it`);
  }
  for (const selector of [...only, ...except]) {
    if (!checks.some((check) => matches(selector, check))) {
      const groups = [...new Set(checks.map(({ endpoint }) => endpoint.split('.')[0]))].join(', ');
      throw new TypeError(
        `only, except: nothing is called '${selector}'. There are ${groups}; endpoints such as chat.completions.create; and beginnings of ids such as chat.completions.create/stream`,
      );
    }
  }
  const selected = checks.filter(
    (check) =>
      (!quick || isQuick(check)) &&
      isInSpec(check.id, spec) &&
      (only.length === 0 || only.some((selector) => matches(selector, check))) &&
      !except.some((selector) => matches(selector, check)),
  );
  // Neighbours share objects, so that a shard is a run of them. Each judges what it has observed.
  const senders = selected.filter(({ phase }) => phase !== 'observations');
  const from = Math.floor(((shard.index - 1) * senders.length) / shard.count);
  const part = new Set(senders.slice(from, Math.floor((shard.index * senders.length) / shard.count)));
  return selected.filter((check) => check.phase === 'observations' || part.has(check));
}
