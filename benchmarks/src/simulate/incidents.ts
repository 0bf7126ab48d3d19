import type { ModelServer } from './upstreams.ts';

interface Incident {
  endedAt: number | undefined;
  lastChangeAt: number;
  changes: number;
  readonly replicas: Set<number>;
}

/** What replicas notice of the failures and slow phases of servers. */
export interface Incidents {
  begin(server: ModelServer): void;
  end(server: ModelServer): void;
  /** A replica changed what it thinks of a server. */
  noticed(server: ModelServer, replica: number): void;
  /** Undefined fields: no replica noticed any. */
  summary(): { readonly changesPerIncident: number | undefined; readonly secondsUntilBack: number | undefined };
}

export function createIncidents(now: () => number): Incidents {
  const all: Incident[] = [];
  const latest = new Map<ModelServer, Incident>();
  return {
    begin(server) {
      const incident = { endedAt: undefined, lastChangeAt: 0, changes: 0, replicas: new Set<number>() };
      all.push(incident);
      latest.set(server, incident);
    },
    end(server) {
      const incident = latest.get(server);
      if (incident) incident.endedAt = now();
    },
    noticed(server, replica) {
      const incident = latest.get(server);
      if (!incident) return;
      incident.changes += 1;
      incident.lastChangeAt = now();
      incident.replicas.add(replica);
    },
    summary() {
      const noticed = all.filter(({ endedAt, replicas }) => endedAt !== undefined && replicas.size > 0);
      if (noticed.length === 0) return { changesPerIncident: undefined, secondsUntilBack: undefined };
      const changes = noticed.reduce((sum, incident) => sum + incident.changes, 0);
      const replicas = noticed.reduce((sum, incident) => sum + incident.replicas.size, 0);
      const delays = noticed.map(({ endedAt = 0, lastChangeAt }) => Math.max(0, lastChangeAt - endedAt));
      return { changesPerIncident: changes / replicas, secondsUntilBack: Math.max(0, ...delays) / 1000 };
    },
  };
}
