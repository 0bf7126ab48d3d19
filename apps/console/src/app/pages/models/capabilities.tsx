import type { ModelCapabilities } from '@modelwire/client';
import { DescriptionList } from '../../components/description-list.tsx';

const supportLevels = [
  { value: 'native', label: 'Parameters of the model' },
  { value: 'emulated', label: 'Parameters that the server emulates' },
  { value: 'refused', label: 'Refused parameters' },
] as const;

export function Capabilities({ capabilities }: { readonly capabilities: ModelCapabilities }) {
  const { inputs, modalities, response_formats, tool_types, reasoning_efforts, parameters } = capabilities;
  const formatList = (values: readonly string[] | null): string =>
    values === null ? 'any' : values.join(', ') || 'none';
  const parametersWith = (value: string): readonly string[] =>
    Object.entries(parameters)
      .filter(([, support]) => support === value)
      .map(([name]) => name);
  return (
    <DescriptionList
      entries={[
        ['Inputs', formatList(inputs)],
        ['Outputs', formatList(modalities)],
        ['Response formats', formatList(response_formats)],
        ['Tools', formatList(tool_types)],
        ['Reasoning efforts', formatList(reasoning_efforts)],
        ...supportLevels.map(({ value, label }) => [label, formatList(parametersWith(value))] as const),
      ]}
    />
  );
}
