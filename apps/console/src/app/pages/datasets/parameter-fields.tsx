import { CodeField } from '../../components/code-field.tsx';
import { ModelField } from '../../components/model-field.tsx';
import { readJsonObject } from '../playground/request.ts';

/** Parameters of requests in place of the stored ones, as the form has them. */
export interface ParameterInput {
  readonly model: string;
  readonly others: string;
}

export const storedParameters: ParameterInput = { model: '', others: '' };

/** Throws an error that names the invalid field. */
export function readParameters({ model, others }: ParameterInput): Readonly<Record<string, unknown>> {
  return { ...readJsonObject('Other parameters', others), ...(model !== '' && { model }) };
}

interface Props {
  readonly value: ParameterInput;
  readonly onChange: (value: ParameterInput) => void;
}

/** What changes in the requests of a dataset when they are run again. */
export function ParameterFields({ value, onChange }: Props) {
  return (
    <>
      <ModelField
        label="Model"
        emptyLabel="As stored"
        value={value.model}
        onChange={(model) => onChange({ ...value, model })}
      />
      <CodeField
        label="Other parameters (JSON object)"
        placeholder={'{ "temperature": 0, "seed": 1 }'}
        value={value.others}
        onChange={(others) => onChange({ ...value, others })}
      />
    </>
  );
}
