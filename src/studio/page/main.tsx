import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Connections, useLiveRuns, type Live } from './client.ts';
import { Waiting } from './parts/basics.tsx';
import { linkTo, readRoute, type Route } from './route.ts';
import { ArchiveView } from './views/archive.tsx';
import { CompareRunsView } from './views/compare-runs.tsx';
import { EpisodeView } from './views/episode.tsx';
import { EpisodesView } from './views/episodes.tsx';
import { FailuresView } from './views/failures.tsx';
import { FleetPage } from './views/fleet.tsx';
import { LearningView } from './views/learning.tsx';
import { MemoriesView, MemoryView } from './views/memories.tsx';
import { ReportView } from './views/report.tsx';
import { ReviewsView } from './views/reviews.tsx';
import { RunsView } from './views/runs.tsx';
import { TasksView } from './views/tasks.tsx';
import { TakeOverView } from './views/take-over.tsx';

function useRoute(): Route {
  const [route, setRoute] = useState(readRoute(location.hash));
  useEffect(() => {
    const follow = (): void => setRoute(readRoute(location.hash));
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return route;
}

const themes = ['system', 'light', 'dark'] as const;

function ThemeSwitch() {
  const [theme, setTheme] = useState(localStorage.getItem('theme') ?? 'system');
  useEffect(() => {
    document.documentElement.dataset['theme'] = theme;
    localStorage.setItem('theme', theme);
  }, [theme]);
  return (
    <label class="theme">
      Colours{' '}
      <select value={theme} onChange={event => setTheme(event.currentTarget.value)}>
        {themes.map(name => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </label>
  );
}

function Studio() {
  const route = useRoute();
  const live = useLiveRuns();
  const [kind, run, what, episode] = route.parts;
  const crumbs = [
    { text: 'Runs', link: linkTo([]) },
    ...(run !== undefined && kind === 'run' ? [{ text: run, link: linkTo(['run', run]) }] : []),
    ...(what === 'episode' && run !== undefined
      ? [{ text: `Episode ${episode ?? ''}`, link: linkTo(['run', run, 'episode', episode ?? '']) }]
      : []),
    ...(what === 'archive' ? [{ text: 'Archive', link: linkTo(['run', run ?? '', 'archive']) }] : []),
    ...(what === 'tasks' ? [{ text: 'Tasks and worlds', link: location.hash }] : []),
    ...(what === 'failures' ? [{ text: 'Why episodes fail', link: location.hash }] : []),
    ...(what === 'report' ? [{ text: 'Report', link: location.hash }] : []),
    ...(what === 'learning' || kind === 'learning' ? [{ text: 'Learning', link: location.hash }] : []),
    ...(kind === 'compare' ? [{ text: 'Run against run', link: location.hash }] : []),
    ...(kind === 'memories' || kind === 'memory' ? [{ text: 'Memories', link: linkTo(['memories']) }] : []),
    ...(kind === 'memory' && run !== undefined ? [{ text: run, link: linkTo(['memory', run]) }] : []),
    ...(kind === 'reviews' ? [{ text: 'Review queue', link: linkTo(['reviews']) }] : []),
    ...(kind === 'fleet' ? [{ text: 'Fleet', link: linkTo(['fleet']) }] : []),
    ...(kind === 'take-over' ? [{ text: 'Take over', link: location.hash }] : []),
  ];
  return (
    <>
      <header>
        <b class="brand">Espalier studio</b>
        <nav aria-label="Where you are">
          {crumbs.map(({ text, link }, index) => (
            <a key={link} href={link} aria-current={index === crumbs.length - 1 ? 'page' : undefined}>
              {text}
            </a>
          ))}
        </nav>
        <span class="connection" role="status">
          {connectionTexts[live.state]}
        </span>
        <ThemeSwitch />
      </header>
      <main>
        <Connections.Provider value={live.connections}>
          <View route={route} live={live} />
        </Connections.Provider>
      </main>
    </>
  );
}

const connectionTexts: Readonly<Record<Live['state'], string>> = {
  open: '',
  lost: 'Connection lost. Trying again …',
  closed: 'The studio was started again. Open the new link that it printed.',
};

function View({ route, live }: { readonly route: Route; readonly live: Live }) {
  const [kind, run = '', what, episode = ''] = route.parts;
  const version = live.runs?.find(({ id }) => id === run)?.version ?? 0;
  if (kind === 'take-over') return <TakeOverView key={run} id={run} />;
  if (kind === 'compare') return <CompareRunsView runs={live.runs} query={route.query} />;
  // Before the version is known, every figure would be asked for twice.
  if (live.runs === null && (kind === 'learning' || what === 'learning')) return <Waiting />;
  if (kind === 'learning')
    return <LearningView key="all" run={null} query={route.query} version={versionOfAll(live)} />;
  if (kind === 'memories') return <MemoriesView />;
  if (kind === 'memory') return <MemoryView key={run} file={run} query={route.query} />;
  if (kind === 'reviews') return <ReviewsView runs={live.runs} query={route.query} />;
  if (kind === 'fleet') return <FleetPage />;
  if (kind === undefined) return <RunsView runs={live.runs} />;
  if (kind !== 'run') return <NoSuchPage />;
  if (what === 'episode')
    return <EpisodeView key={`${run} ${episode}`} run={run} episode={episode} query={route.query} />;
  if (what === 'report') return <ReportView run={run} />;
  if (what === 'archive') return <ArchiveView run={run} query={route.query} version={version} />;
  if (what === 'learning') return <LearningView key={run} run={run} query={route.query} version={version} />;
  if (what === 'tasks') return <TasksView run={run} version={version} />;
  if (what === 'failures') return <FailuresView run={run} version={version} />;
  if (what !== undefined) return <NoSuchPage />;
  return <EpisodesView key={run} run={run} query={route.query} version={version} />;
}

function NoSuchPage() {
  return (
    <>
      <h1>There is no such page</h1>
      <p>
        The studio has no view at this address. <a href={linkTo([])}>All runs</a>
      </p>
    </>
  );
}

/** Changes when any run does. */
function versionOfAll({ runs }: Live): number {
  return (runs ?? []).reduce((sum, { version }) => sum + version, 0);
}

const root = document.querySelector('#studio');
if (root !== null) render(<Studio />, root);
