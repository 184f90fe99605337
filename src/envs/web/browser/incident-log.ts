/** Something that a page did beside what it was asked for, and what was done about it. */
export interface Incident {
  readonly kind:
    | 'dialog'
    | 'popup'
    | 'download'
    | 'blocked'
    | 'error'
    | 'busy'
    | 'lost'
    | 'refused'
    | 'tampering'
    | 'unprompted'
    | 'unsandboxed'
    | 'dropped';
  readonly detail: string;
}

/** Incidents of a page, bounded: a page can cause as many as it likes. */
export interface IncidentLog {
  add(incident: Incident): void;
  /** What was added since this was last asked; the last entry counts what was dropped, if anything was. */
  take(): readonly Incident[];
}

export interface IncidentLimits {
  /** Incidents kept between two takes. */
  readonly perTake: number;
  /** Incidents kept in all. */
  readonly inAll: number;
  /** Characters of a detail. */
  readonly length: number;
}

const usual: IncidentLimits = { perTake: 50, inAll: 1000, length: 500 };

export function createIncidentLog({ perTake, inAll, length }: IncidentLimits = usual): IncidentLog {
  let kept: Incident[] = [];
  let [total, dropped] = [0, 0];
  return {
    add({ kind, detail }) {
      if (kept.length >= perTake || total >= inAll) {
        dropped++;
        return;
      }
      total++;
      kept.push({ kind, detail: detail.length > length ? `${detail.slice(0, length)}…` : detail });
    },
    take() {
      const count: Incident = { kind: 'dropped', detail: `${dropped} more incidents were dropped` };
      const taken = dropped === 0 ? kept : [...kept, count];
      [kept, dropped] = [[], 0];
      return taken;
    },
  };
}
