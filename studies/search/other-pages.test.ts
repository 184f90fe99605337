import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { EspalierError } from '../../src/core/errors.ts';
import { createWaiFiles } from '../../src/envs/web/sites/wai/files.ts';
import { createSystemHost } from '../../src/system/workers/host.ts';
import { runSearchStudy, type SearchStudy } from './search-study.ts';
import { tableOf } from './study-table.ts';

const host = createSystemHost({ workers: 0 });
const fixtures = join(import.meta.dirname, '../../test/fixtures');
const root = mkdtempSync(join(tmpdir(), 'espalier-study-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function study(name: string, place: string, nodes: number): Promise<SearchStudy> {
  const choices = {
    place,
    apps: null,
    kinds: null,
    most: null,
    nodes,
    taskSeconds: null,
    minutes: null,
    solutions: 1,
    rounds: 1,
    holdOut: [],
    seed: 1,
  };
  const signal = new AbortController().signal;
  return runSearchStudy({ choices, folder: join(root, name), pages: 1, host, signal });
}

/** Tasks with a certified solution, in training and by words on held-out ones. */
function solvedIn({ training, heldOut }: SearchStudy): string[] {
  const solved = [...training, ...heldOut.words].filter(({ isCertified }) => isCertified);
  return solved.map(({ task }) => task.split('/')[1] ?? '').toSorted();
}

describe('study of search in pages without snapshots', () => {
  it('[SEARCH-15] solves MiniWoB++ pages by their reward', async () => {
    const folder = join(root, 'pages');
    mkdirSync(join(folder, 'miniwob'), { recursive: true });
    cpSync(join(fixtures, 'miniwob/core'), join(folder, 'core'), { recursive: true });
    for (const name of ['press-button', 'type-word', 'broken-problem'])
      cpSync(join(fixtures, `miniwob/miniwob/${name}.html`), join(folder, `miniwob/${name}.html`));
    const found = await study('miniwob', `miniwob:${folder}`, 8);
    expect(found.isComplete).toBe(true);
    expect(solvedIn(found)).toEqual(['press-button', 'type-word']);
  }, 120_000);

  it('[SEARCH-16] refuses a folder without pages, and leaves --out free for another', async () => {
    const empty = join(root, 'empty');
    mkdirSync(empty);
    const failed = study('refused', `miniwob:${empty}`, 8);
    await expect(failed).rejects.toThrow(EspalierError);
    await expect(failed).rejects.toThrow(/No app of miniwob:.*empty can be studied\. empty: .* has no core\/core\.js/);
    expect(readdirSync(join(root, 'refused'))).toEqual([]);
  });

  it("[SEARCH-15] solves a served page by a user's own verifiers", async () => {
    const files = createWaiFiles(join(fixtures, 'url/site'));
    const server = createServer(async (request, response) => {
      const file = await files.read(new URL(request.url ?? '/', 'http://127.0.0.1').pathname);
      if (file === null) response.writeHead(404).end();
      else response.writeHead(200, { 'content-type': file.type }).end(file.body);
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = server.address() as AddressInfo;
      // The other task asks for an answer, which the search does not give.
      const tasks = join(root, 'tasks.ts');
      const own = pathToFileURL(join(fixtures, 'url/guest-tasks.ts')).href;
      writeFileSync(
        tasks,
        `import { tasks as all } from '${own}';\nexport const tasks = all.filter(({ id }) => id !== 'count-guests');\n`,
      );
      const place = `page:http://127.0.0.1:${port}/,${tasks}`;
      const found = await study('page', place, 6);
      expect(solvedIn(found)).toEqual(['add-guest', 'find-about']);
      expect(tableOf(found).problems).toEqual([]);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }, 120_000);
});
