import type { ModelCapabilities } from '@modelwire/client';
import { DescriptionList } from '../../components/description-list.tsx';
import { formatBytes, formatNumber } from '../../components/format.ts';

const supportLevels = [
  { value: 'native', label: 'Parameters of the model' },
  { value: 'emulated', label: 'Parameters that the server emulates' },
  { value: 'refused', label: 'Refused parameters' },
] as const;

export function Capabilities({ capabilities }: { readonly capabilities: ModelCapabilities }) {
  const { dialect, inputs, modalities, response_formats, tool_types, reasoning_efforts, parameters, runtime } =
    capabilities;
  const formatList = (values: readonly string[] | null): string =>
    values === null ? 'any' : values.join(', ') || 'none';
  const parametersWith = (value: string): readonly string[] =>
    Object.entries(parameters)
      .filter(([, support]) => support === value)
      .map(([name]) => name);
  return (
    <DescriptionList
      entries={[
        ...(dialect === undefined ? [] : [['Only served at', `/v1/${dialect}`] as const]),
        ['Inputs', formatList(inputs)],
        ['Outputs', formatList(modalities)],
        ['Response formats', formatList(response_formats)],
        ['Tools', formatList(tool_types)],
        ['Reasoning efforts', formatList(reasoning_efforts)],
        ...(runtime === undefined ? [] : [['Runs on', formatRuntime(runtime)] as const]),
        ...supportLevels.map(({ value, label }) => [label, formatList(parametersWith(value))] as const),
      ]}
    />
  );
}

function formatRuntime(runtime: NonNullable<ModelCapabilities['runtime']>): string {
  const { backend, device, gpu_layers, layers, gpu_memory_bytes, memory_bytes, context_size, sequences } = runtime;
  const memory = `${formatBytes(memory_bytes)} of memory`;
  const context = `${formatNumber(sequences)} × ${formatNumber(context_size)} tokens of context`;
  if (device === null) return [backend.toUpperCase(), memory, context].join(', ');
  const offloaded = `${gpu_layers} of ${layers} layers`;
  return [device, backend, offloaded, `${formatBytes(gpu_memory_bytes)} of GPU memory`, memory, context].join(', ');
}
