import type { ModelCapabilities } from '@modelwire/schema/types';
import type { ServerContext } from '../../context.ts';
import type { Call } from '../../call.ts';
import type { Reply } from '../../http/reply.ts';

/** GET /capabilities/{model}: what a chat model supports, including what the server adds: formats, and text of files. */
export function retrieveModelCapabilities({ params }: Call, server: ServerContext): Reply {
  const id = params['model'] ?? '';
  const body = capabilitiesOf(server, id);
  if (!body) throw server.models.notFoundError(id);
  return { status: 200, body };
}

/** Capabilities of a chat model; undefined for any other ID. */
export function capabilitiesOf(server: ServerContext, id: string): ModelCapabilities | undefined {
  const can = server.models.find(id)?.model.capabilities;
  if (!can) return undefined;
  const formats = can.parameters.response_format === 'emulated' ? allFormats : can.response_formats;
  return {
    object: 'model.capabilities',
    model: id,
    parameters: { ...can.parameters },
    roles: [...can.roles],
    inputs: [...new Set([...can.inputs, 'file'])],
    modalities: [...can.modalities],
    response_formats: [...formats],
    tool_types: [...can.tool_types],
    grammars: [...can.grammars],
    reasoning_efforts: can.efforts ? [...can.efforts.values] : null,
    verbosities: [...can.verbosities],
    service_tiers: [...can.service_tiers],
  };
}

const allFormats = ['text', 'json_object', 'json_schema'];
