import type { StoredChatCompletion } from '@modelwire/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { completionQuery, parseMetadataFilter } from '../../api/completions.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { DescriptionList } from '../../components/description-list.tsx';

interface Props {
  readonly completion: StoredChatCompletion;
  readonly readOnly: boolean;
}

/** The metadata of a completion, one `key=value` per line. */
export function MetadataEditor({ completion, readOnly }: Props) {
  const queryClient = useQueryClient();
  const [draft, setDraft] = useState<string>();
  const pairs = Object.entries(completion.metadata ?? {});
  const update = useMutation({
    mutationFn: (text: string) =>
      api.chat.completions.update(completion.id, { metadata: parseMetadataFilter(text.replaceAll('\n', ',')) }),
    onSuccess: async (updated) => {
      queryClient.setQueryData(completionQuery(completion.id).queryKey, { ...completion, ...updated });
      setDraft(undefined);
      await queryClient.invalidateQueries({ queryKey: ['completions'] });
    },
  });
  return (
    <section className="card" aria-label="Metadata">
      <h2>Metadata</h2>
      {draft === undefined ? (
        <>
          {pairs.length === 0 ? <p className="note">None.</p> : <DescriptionList entries={pairs} layout="inline" />}
          {!readOnly && (
            <button
              type="button"
              className="small"
              onClick={() => setDraft(pairs.map(([key, value]) => `${key}=${value}`).join('\n'))}
            >
              Edit metadata
            </button>
          )}
        </>
      ) : (
        <form
          className="stack"
          onSubmit={(event) => {
            event.preventDefault();
            update.mutate(draft);
          }}
        >
          <label className="field">
            One key=value per line
            <textarea rows={4} autoFocus value={draft} onChange={(event) => setDraft(event.target.value)} />
          </label>
          {update.error !== null && <ErrorNotice title="The metadata was not saved." error={update.error} />}
          <div className="actions">
            <button type="button" onClick={() => setDraft(undefined)}>
              Cancel
            </button>
            <button type="submit" className="primary" disabled={update.isPending}>
              Save
            </button>
          </div>
        </form>
      )}
    </section>
  );
}
