import { Button } from '@mantine/core';
import type { ModelCapabilities } from '@modelwire/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { capabilitiesQuery } from '../../api/status.ts';
import type { Column } from '../../components/columns.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Modal } from '../../components/modal.tsx';
import { Capabilities } from './capabilities.tsx';

interface Row {
  readonly id: string;
  /** Null for a model of another kind than chat. */
  readonly capabilities?: ModelCapabilities | null;
}

interface Props<Model extends Row> {
  readonly models: readonly Model[];
  /** Between the ID and the buttons. */
  readonly columns: readonly Column<Model>[];
  readonly rowHeight?: number;
}

/** The models, each with a dialog for its capabilities. */
export function ModelTable<Model extends Row>({ models, columns, ...table }: Props<Model>) {
  const [open, setOpen] = useState<Model>();
  const all: readonly Column<Model>[] = [
    {
      header: 'Model',
      width: 270,
      grows: true,
      isRowHeader: true,
      sortBy: ({ id }) => id,
      cell: ({ id }) => (
        <span className="named-id">
          <bdi title={id}>{id}</bdi>
          <CopyButton text={id} label={`Copy ID ${id}`} isIcon />
        </span>
      ),
    },
    ...columns,
    {
      header: 'Capabilities',
      isHeaderHidden: true,
      width: 130,
      cell: (model) =>
        model.capabilities !== null && (
          <div className="actions">
            <Button aria-label={`Show the capabilities of ${model.id}`} onClick={() => setOpen(model)}>
              Capabilities
            </Button>
          </div>
        ),
    },
  ];
  return (
    <>
      <DataTable label="Models" columns={all} rows={models} keyOf={({ id }) => id} {...table} />
      {open !== undefined && (
        <Modal title={open.id} isDrawer onClose={() => setOpen(undefined)}>
          {open.capabilities ? <Capabilities capabilities={open.capabilities} /> : <LoadedCapabilities id={open.id} />}
        </Modal>
      )}
    </>
  );
}

function LoadedCapabilities({ id }: { readonly id: string }) {
  const { data, error } = useQuery(capabilitiesQuery(id));
  if (data !== undefined) return <Capabilities capabilities={data} />;
  return <p className="note">{error === null ? 'Loading…' : 'The server lists no capabilities of this model.'}</p>;
}
