import { useEffect, useMemo, useState } from 'preact/hooks';
import type { EpisodeOutline, OutlineStep, StepStatus } from '../api/api.ts';
import type { StepColumns } from '../api/api-episodes.ts';
import { get } from './client.ts';

const roles: Readonly<Record<string, OutlineStep['role']>> = { s: 'student', t: 'teacher', h: 'human' };
const statuses: Readonly<Record<string, StepStatus>> = { k: 'kept', c: 'correction', r: 'rolled-back' };

/** The steps of a large tree. Their texts stay empty until they are asked for. */
export function readColumns({ back, roles: actors, statuses: kinds, marks }: StepColumns): OutlineStep[] {
  const steps = back.map((far, row): OutlineStep => {
    const [role, status] = [roles[actors[row] ?? ''] ?? 'student', statuses[kinds[row] ?? ''] ?? 'kept'];
    return {
      id: row + 1,
      parent: row + 1 - far,
      text: '',
      role,
      status,
      rejection: null,
      replaces: null,
      verdict: null,
    };
  });
  for (const mark of marks) steps[mark.id - 1] = { ...(steps[mark.id - 1] as OutlineStep), ...mark };
  return steps;
}

/** Lines of history of the steps that are on the screen. */
export interface StepTexts {
  textOf(step: OutlineStep): string;
  /** Rows that are about to be drawn. */
  want(first: number, last: number): void;
  /** Grows when texts have come. */
  readonly version: number;
}

/** Steps whose texts are asked for in one go. */
const page = 200;

/** The texts of a tree: those it came with, or page by page as they come into view. */
export function useStepTexts(run: string, episode: number, { columns }: EpisodeOutline): StepTexts {
  const [version, setVersion] = useState(0);
  const pages = useMemo(() => new Map<number, readonly string[]>(), [run, episode]);
  const load = (number: number): void => {
    pages.set(number, []);
    get<string[]>('texts', { run, episode, from: number * page + 1, count: page }).then(
      texts => {
        pages.set(number, texts);
        setVersion(before => before + 1);
      },
      // Asked for again when the rows are drawn again.
      () => pages.delete(number),
    );
  };
  return {
    version,
    textOf: step => step.text || (pages.get(Math.floor((step.id - 1) / page))?.[(step.id - 1) % page] ?? ''),
    want(first, last) {
      if (columns === null) return;
      for (let at = Math.floor(first / page); at <= Math.floor(last / page); at++) if (!pages.has(at)) load(at);
    },
  };
}

/** An outline with the texts of all steps; null until they have come. */
export function useAllTexts(run: string, episode: number, outline: EpisodeOutline): EpisodeOutline | null {
  const [whole, setWhole] = useState(outline.columns === null ? outline : null);
  useEffect(() => {
    if (outline.columns === null) return undefined;
    let isWanted = true;
    const filled = (texts: readonly string[]): EpisodeOutline => ({
      ...outline,
      steps: outline.steps.map((step, row) => ({ ...step, text: texts[row] ?? '' })),
    });
    get<string[]>('texts', { run, episode, from: 1, count: outline.steps.length }).then(
      texts => isWanted && setWhole(filled(texts)),
      () => isWanted && setWhole(outline),
    );
    return () => {
      isWanted = false;
    };
  }, [run, episode]);
  return whole;
}
