import type { NativeResponseBody } from '@modelwire/ports';
import { reportUnsupportedTools } from '../../generation/report-unsupported-tools.ts';
import { requireModel } from '../../generation/require-model.ts';
import type { ResponseCreateParams, ResponseItem } from '@modelwire/schema/types';
import type { Call } from '../../call.ts';
import type { ServerContext } from '../../context.ts';
import { unsupported } from '../../errors.ts';
import { nowInSeconds } from '../../clock.ts';
import type { CreateId } from '../../ids.ts';
import { storedInput } from '../../items/stored-input.ts';
import { translateRequest } from './chat-request.ts';
import type { TranslatedRequest } from './chat-request.ts';
import { endsWithCompactionTrigger, isCompacted, summaryRequest, withoutTools } from './compaction.ts';
import { continuesStored, readHistory } from './history.ts';
import type { ItemWithPath } from './messages.ts';
import { isNative, nativeBody } from './native-request.ts';
import { responseBase } from './response-object.ts';
import type { ResponseBase, ResponseIdentity } from './response-object.ts';

/** A request for a response that was checked, with everything that is needed to generate it. */
export interface PreparedResponse {
  readonly body: ResponseCreateParams;
  readonly base: ResponseBase;
  /** The request as a chat request. Admission and limits need it in any case. */
  readonly translated: TranslatedRequest;
  /** The request for an engine with native responses; undefined if the chat request is used. */
  readonly native: NativeResponseBody | undefined;
  /** Whether the reply is the summary of a conversation, which becomes a `compaction` item. */
  readonly isCompaction: boolean;
  /** The history that the input continues. */
  readonly history: readonly ResponseItem[];
  /** The input of this turn as it is stored, without earlier turns. References are replaced by their items. */
  readonly input: readonly ResponseItem[];
}

/**
 * Checks a request for a response and loads what it continues. Names the tools and items that the model does not see in a header and the log.
 *
 * @param identity Of a response that was created before. Default: a new one.
 * @throws a 400 or 404 that names the field at fault.
 */
export async function prepareResponse(
  call: Call<unknown>,
  body: ResponseCreateParams,
  server: ServerContext,
  identity: ResponseIdentity = { id: server.createId('resp_'), created_at: nowInSeconds(server.clock) },
): Promise<PreparedResponse> {
  const resolved = requireModel('chat', body.model, server);
  const store = storeOf(body, server);
  const history = continuesStored(body) ? await readHistory(body, call, server) : [];
  const input = await storedInput({ items: body.input ?? [], path: 'input' }, call, server);
  const path = body.previous_response_id === undefined ? 'conversation' : 'previous_response_id';
  const items = [
    ...history.map((item): ItemWithPath => ({ item, path })),
    ...input.map((item, index): ItemWithPath => ({ item, path: `input[${index}]` })),
  ];
  const usesNative = isNative(resolved, [...history, ...input], body, server);
  // An engine with native responses compacts itself.
  const isCompaction = !usesNative && endsWithCompactionTrigger(input);
  const { hostedTools } = server.options;
  const translated = usesNative
    ? // The engine chooses among all tools of the request.
      translateRequest(withoutToolChoice(body), items, resolved.model, {
        isRelayed: true,
        webSearch: false,
        hostedTools: hostedTools === 'omit' ? 'pass' : hostedTools,
      })
    : translateRequest(
        isCompaction ? withoutTools(body) : body,
        isCompaction ? toCompact(items, server.createId) : items,
        resolved.model,
        {
          isRelayed: false,
          webSearch: resolved.model.capabilities.parameters.web_search_options !== 'refused',
          hostedTools,
        },
      );
  reportUnsupportedTools(translated.omittedTools, call);
  const base = responseBase(body, identity, { tools: translated.tools.visible, store });
  const native = usesNative ? nativeBody(body, history, input) : undefined;
  return { body, base, translated, native, isCompaction, history, input };
}

function toCompact(items: readonly ItemWithPath[], createId: CreateId): readonly ItemWithPath[] {
  const request = summaryRequest(createId).map((item): ItemWithPath => ({ item, path: 'input' }));
  return [...items.filter(({ item }) => isCompacted(item)), ...request];
}

function withoutToolChoice({ tool_choice, ...body }: ResponseCreateParams): ResponseCreateParams {
  return body;
}

/** Whether the response is stored: by default where there are stores. */
function storeOf({ store }: ResponseCreateParams, { options }: ServerContext): boolean {
  if (store === true && !options.stores) {
    throw unsupported(
      'store',
      "Unsupported parameter: 'store' is not supported: this server does not store responses.",
    );
  }
  return options.stores !== undefined && store !== false;
}
