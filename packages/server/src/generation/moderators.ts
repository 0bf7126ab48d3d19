import type { ChatCompletionCreateParams } from '@modelwire/schema/types';
import type { ServerContext } from '../context.ts';
import { renameFields, RequestError, unsupported } from '../errors.ts';
import { assertModelAllowed } from '../limits/policies.ts';
import type { Policy } from '../limits/policies.ts';
import type { ResolvedModerationModel } from '../streaming/transforms/moderate-inputs.ts';
import { ModerationReport } from '../streaming/transforms/moderation-report.ts';
import type { Moderator } from '../streaming/transforms/moderator.ts';
import { requireModel } from './require-model.ts';

type Moderated = Pick<ChatCompletionCreateParams, 'moderation'>;

/**
 * Who judges a request: as the options of the server say (`moderate`), and as the request asks (API: `moderation`). If both name one model,
 * it judges once, and the stricter mode counts.
 *
 * @throws a 400 or 404 that names `moderation` if the request asks for a model that is not served.
 */
export function moderatorsOf({ moderation }: Moderated, server: ServerContext): readonly Moderator[] {
  const own = ownModerator(server);
  if (!moderation) return own ? [own] : [];
  const moderationModel = requestedModel(moderation.model, server);
  const requested: Moderator = {
    moderationModel,
    input: moderation.policy?.input?.mode ?? 'score',
    output: moderation.policy?.output?.mode ?? 'score',
    report: new ModerationReport(moderation.model),
  };
  if (!own) return [requested];
  if (own.moderationModel.model.id !== moderationModel.model.id) return [own, requested];
  return [
    {
      ...requested,
      input: own.input === 'block' ? 'block' : requested.input,
      output: own.output === 'block' ? 'block' : requested.output,
    },
  ];
}

/** @throws a 403 if the key may not use the moderation model that the request names. */
export function assertModeratorAllowed({ moderation }: Moderated, policy: Policy, server: ServerContext): void {
  if (!moderation) return;
  const { model } = requestedModel(moderation.model, server);
  ofModeration(() => {
    assertModelAllowed(policy, [moderation.model, model.id]);
  });
}

/** The results of the moderation that the request asked for. */
export function moderationReportOf({
  moderators,
}: {
  readonly moderators: readonly Moderator[];
}): ModerationReport | undefined {
  return moderators.find(({ report }) => report)?.report;
}

/** By the model that the options name, or the first one. */
function ownModerator({ options, models: { moderation } }: ServerContext): Moderator | undefined {
  const { moderate } = options;
  if (!moderate) return undefined;
  const moderationModel = moderation.find(moderate.model ?? moderation.all()[0]?.id ?? '');
  if (!moderationModel) throw new Error('the model that moderates is not served');
  return {
    moderationModel,
    input: moderate.of === 'output' ? undefined : moderate.flaggedInput === 'flag' ? 'score' : 'block',
    output: moderate.of === 'input' ? undefined : 'block',
    report: undefined,
  };
}

function requestedModel(id: string, server: ServerContext): ResolvedModerationModel {
  if (server.options.moderationEngines.length > 0) return ofModeration(() => requireModel('moderation', id, server));
  throw unsupported(
    'moderation',
    "Unsupported parameter: 'moderation' is not supported: this server has no moderation model.",
  );
}

/** Names the field of the moderation in errors about its model. */
function ofModeration<Result>(find: () => Result): Result {
  try {
    return find();
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    throw renameFields(error, (path) => (path === 'model' ? 'moderation.model' : path));
  }
}
