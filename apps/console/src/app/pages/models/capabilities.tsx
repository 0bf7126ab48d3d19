import type { ModelCapabilities } from '@modelwire/client';
import { FactGrid } from '../../components/fact-grid.tsx';

const meanings = [
  { value: 'native', label: 'Parameters of the model' },
  { value: 'emulated', label: 'Parameters that the server emulates' },
  { value: 'refused', label: 'Refused parameters' },
] as const;

export function Capabilities({ capabilities }: { readonly capabilities: ModelCapabilities }) {
  const { inputs, modalities, response_formats, tool_types, reasoning_efforts, parameters } = capabilities;
  const list = (values: readonly string[] | null): string => (values === null ? 'any' : values.join(', ') || 'none');
  const withValue = (value: string): readonly string[] =>
    Object.entries(parameters)
      .filter(([, how]) => how === value)
      .map(([name]) => name);
  return (
    <FactGrid
      facts={[
        ['Inputs', list(inputs)],
        ['Outputs', list(modalities)],
        ['Response formats', list(response_formats)],
        ['Tools', list(tool_types)],
        ['Reasoning efforts', list(reasoning_efforts)],
        ...meanings.map(({ value, label }) => [label, list(withValue(value))] as const),
      ]}
    />
  );
}
