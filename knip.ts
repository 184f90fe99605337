import type { KnipConfig } from 'knip';

/**
 * What nothing reaches fails `npm run check`. package.json names further entries; `!` marks those that are not tests: the
 * second run, with --production, finds what only tests reach.
 */
const isProduction = process.argv.includes('--production');

const config: KnipConfig = {
  entry: [
    // npm run test:peers, which counts as a test by its name.
    ...(isProduction ? ['scripts/peers/run.ts!'] : []),
    'src/cli/main.ts!',
    // Threads, jobs and child processes, started by their path.
    'src/store/disk-sync-thread.ts!',
    'src/store/postgres/blocking-thread.ts!',
    'src/system/alone/alone-process.ts!',
    'src/system/plan-thread/plan-worker.ts!',
    'src/system/watchdog/watcher.ts!',
    'src/system/workers/worker.ts!',
    'src/runs/jobs/*-job.ts!',
    'bench/models/{endpoint,waiting,proxy-process}.ts!',
    'bench/serve/server-process.ts!',
    'bench/studio/writing-run.ts!',
    'bench/gate/draw-power.ts!',
    // Loaded by src/cli/beside/programs.ts, by a computed address.
    'bench/run.ts!',
    'studies/demo/demo.ts!',
    'bench/fleet/{resting-world,worker-process}.ts!',
    'studies/fleet/{study-fleet,waiting-world,worker-process}.ts!',
    'studies/memory/study-memory.ts!',
    'studies/races/study-races.ts!',
    'studies/rl/study-rl.ts!',
    'studies/search/study-search.ts!',
    'studies/strategies/study-strategies.ts!',
    // Bundled for the browser.
    'src/envs/web/page-program/main.ts!',
    'src/studio/page/main.tsx!',
    // Run by hand or by npm.
    'scripts/*.{js,ts}!',
    'studies/harness/study-harness.ts!',
    'studies/loops/study-loops.ts!',
    'studies/meta/study-meta.ts!',
    'studies/tuning/study-tuning.ts!',
    'scripts/site/.vitepress/config.ts!',
    'scripts/docs/{write,write-benchmarks,write-fleet,write-study,studio-pictures}.ts!',
    'test/adversarial/contain/write-table.ts!',
    'examples/**/*.ts!',
    'test/**/*.test.ts',
    // Programs and modules that tests start by their path.
    'test/fixtures/{crash-collect,crash-strategies,warm-program,store-writer}.ts',
    'test/fixtures/{apps,hostile,planted}/*.ts',
    'test/fixtures/certify/{collect-held,held-lamp,lamp,lying-lamp}.ts',
    'test/fixtures/mcp/{espalier-mcp,notes-server}.ts',
    'test/fixtures/models/proxy-child.ts',
    'test/fixtures/app/{clerk,postgres-server,server}.ts',
    'test/fixtures/serve/dying-server.ts',
    'test/fixtures/fleet/{controller,s3-server,slow-lamp,slow-way-thread,worker}.ts',
    'test/fixtures/fleet/shifted-clock.js',
  ],
  project: [
    '{src,bench,studies,scripts,examples}/**/*.{js,ts,tsx}!',
    '!**/*.test.ts!',
    'test/adversarial/**/*.ts!',
    'test/**/*.ts',
    // Built with packages of their own.
    '!test/frameworks/apps/**',
  ],
  ignoreDependencies: [
    // The Node of the project: scripts start its binary.
    'espalier-node',
    // Tests start their programs or read their files from node_modules.
    '@modelcontextprotocol/inspector',
    'axe-core',
    'publint',
  ],
  ignoreBinaries: [
    'apt-get',
    'dpkg-query',
    'ldd',
    'mke2fs',
    'mkfifo',
    'mount',
    'perl',
    'psql',
    'qemu-system-x86_64',
    'redis-cli',
    'umount',
    'unshare',
  ],
  // Tests may reach into a file for a part of what it does.
  ignoreExportsUsedInFile: isProduction,
  // What each way to do a task costs: no verb tells it yet.
  ...(isProduction ? { ignoreFiles: ['src/envs/tools/ways.ts'] } : {}),
  ignoreIssues: {
    // scripts/bundle-page.js imports them from dist.
    'src/envs/web/tab/page-bundle.ts': ['exports'],
    'src/studio/server/studio-program.ts': ['exports'],
  },
};

export default config;
