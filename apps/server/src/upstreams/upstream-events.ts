import type { Circuit } from '@modelwire/engine-upstream';
import type { ModelwireServer } from '@modelwire/server';

/** Publishes for webhooks that an upstream is down for a model, and that it is up again, as this server sees it. */
export interface UpstreamEvents {
  onCircuitChange(circuit: Circuit): void;
  /** Publishes events from now on. */
  publishTo(server: Pick<ModelwireServer, 'publishEvent'>): void;
}

export function createUpstreamEvents(): UpstreamEvents {
  const down = new Set<string>();
  let server: Pick<ModelwireServer, 'publishEvent'> | undefined;
  return {
    onCircuitChange({ upstream, model, state, lastFailure }) {
      if (!server) return;
      const name = JSON.stringify([upstream, model]);
      // A probe that fails opens the circuit again: the upstream was down all the time.
      if (state === 'open' && !down.has(name)) {
        down.add(name);
        void server.publishEvent('upstream.down', { id: upstream, model, error: lastFailure ?? null });
      } else if (state === 'closed' && down.delete(name)) {
        void server.publishEvent('upstream.up', { id: upstream, model });
      }
    },
    publishTo(target) {
      server = target;
    },
  };
}
