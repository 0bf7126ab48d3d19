import type { ComparisonError } from '@modelwire/client';
import { Link } from '@tanstack/react-router';
import { formatNumber } from '../../components/format.ts';
import { Notice } from '../../components/notice.tsx';

interface Props {
  /** What cases lack, such as `a score`. */
  readonly lacking: string;
  readonly errors: readonly ComparisonError[];
}

/** Why cases have no reply or no score, with links to the completions of the first ones. */
export function Errors({ lacking, errors }: Props) {
  return errors.map(({ code, message, cases, case_ids }) => (
    <Notice key={message} tone="bad">
      <strong>
        {formatNumber(cases)} {cases === 1 ? 'case' : 'cases'} without {lacking}
      </strong>
      <p>
        {message} {typeof code === 'string' && <code>{code}</code>}
      </p>
      <p className="note">
        {case_ids.map((id, position) => (
          <span key={id}>
            {position > 0 && ', '}
            <Link to="/completions/$id" params={{ id }} title={id}>
              Case {position + 1}
            </Link>
          </span>
        ))}
      </p>
    </Notice>
  ));
}
