import { Button, Textarea } from '@mantine/core';
import type { StoredChatCompletion } from '@modelwire/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { completionQuery } from '../../api/completions.ts';
import { parsePairs } from '../../api/metadata-filter.ts';
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
      api.chat.completions.update(completion.id, { metadata: parsePairs(text.split('\n')) }),
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
            <Button onClick={() => setDraft(pairs.map(([key, value]) => `${key}=${value}`).join('\n'))}>
              Edit metadata
            </Button>
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
          <Textarea
            label="One key=value per line"
            rows={4}
            autoFocus
            value={draft}
            onChange={(event) => setDraft(event.target.value)}
          />
          {update.error !== null && <ErrorNotice title="The metadata was not saved." error={update.error} />}
          <div className="actions">
            <Button onClick={() => setDraft(undefined)}>Cancel</Button>
            <Button type="submit" variant="filled" disabled={update.isPending}>
              Save
            </Button>
          </div>
        </form>
      )}
    </section>
  );
}
