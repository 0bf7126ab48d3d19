import type { ModelCapabilities } from '@modelwire/schema/types';
import type { ServerContext } from '../../context.ts';
import { unknownModel } from '../../generation/require-model.ts';
import type { Handlers } from '../../http/implement.ts';

/** GET /capabilities/{model}: what a chat model supports, including what the server adds: formats, and text of files. */
export const retrieveModelCapabilities: Handlers['capabilities.retrieve'] = ({ params }, server) => {
  const id = params['model'] ?? '';
  const body = capabilitiesOf(server, id);
  if (!body) throw unknownModel(id, server);
  return { status: 200, body };
};

/** Capabilities of a chat model; undefined for any other ID. */
export function capabilitiesOf(server: ServerContext, id: string): ModelCapabilities | undefined {
  const capabilities = server.models.chat.find(id)?.model.capabilities;
  if (!capabilities) return undefined;
  const formats = capabilities.parameters.response_format === 'emulated' ? allFormats : capabilities.response_formats;
  return {
    object: 'model.capabilities',
    model: id,
    parameters: { ...capabilities.parameters },
    roles: [...capabilities.roles],
    inputs: [...new Set([...capabilities.inputs, 'file'])],
    modalities: [...capabilities.modalities],
    response_formats: [...formats],
    tool_types: [...capabilities.tool_types],
    grammars: [...capabilities.grammars],
    reasoning_efforts: capabilities.efforts ? [...capabilities.efforts.values] : null,
    verbosities: [...capabilities.verbosities],
    service_tiers: [...capabilities.service_tiers],
  };
}

const allFormats = ['text', 'json_object', 'json_schema'];
