import type { ResponseTool } from '@modelwire/schema/types';
import { NAME_MAX_LENGTH } from '@modelwire/schema';

/** A tool in the client's request. */
export interface ClientToolName {
  readonly name: string;
  readonly namespace?: string | undefined;
}

/** Maps tool names between clients, which group tools in namespaces, and chat engines, which have a flat list of names. */
export interface ToolNames {
  /** The name for the engine. */
  engineName(tool: ClientToolName): string;
  /** The client's name for a tool that the engine called. */
  clientName(engineName: string): ClientToolName;
}

/** A tool `search` of the namespace `crm` is `crm__search` to the engine, unless another tool has that name. */
export function createToolNames(tools: readonly ResponseTool[]): ToolNames {
  const byEngineName = new Map<string, ClientToolName>();
  const byClientName = new Map<string, string>();
  for (const tool of tools) {
    if (tool.type !== 'namespace' && 'name' in tool) byEngineName.set(tool.name, { name: tool.name });
  }
  for (const tool of tools) {
    if (tool.type !== 'namespace' || !('tools' in tool)) continue;
    for (const { name } of tool.tools) {
      const engineName = freeName(`${tool.name}__${name}`, byEngineName);
      byEngineName.set(engineName, { name, namespace: tool.name });
      byClientName.set(keyOf({ name, namespace: tool.name }), engineName);
    }
  }
  return {
    engineName: (tool) => (tool.namespace === undefined ? tool.name : (byClientName.get(keyOf(tool)) ?? tool.name)),
    clientName: (engineName) => byEngineName.get(engineName) ?? { name: engineName },
  };
}

function keyOf({ name, namespace }: ClientToolName): string {
  return JSON.stringify([namespace, name]);
}

function freeName(wanted: string, taken: ReadonlyMap<string, unknown>): string {
  let name = wanted.slice(0, NAME_MAX_LENGTH);
  for (let count = 2; taken.has(name); count++) {
    const suffix = `_${count}`;
    name = wanted.slice(0, NAME_MAX_LENGTH - suffix.length) + suffix;
  }
  return name;
}
