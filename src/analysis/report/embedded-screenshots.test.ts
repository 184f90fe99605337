import { describe, expect, it } from 'vitest';
import { picturedReport } from '../../../test/fixtures/pictures/pictured-report.ts';
import { collectReport, demoReport } from '../../../test/fixtures/report-data.ts';
import { readReportData } from './data.ts';
import { writeEpisodePage } from './write-episode.ts';
import { writeReport } from './write-report.ts';

const { data, pictures } = picturedReport();
const find = (hash: string): Uint8Array | null => pictures.get(hash) ?? null;
const addresses = (page: string): string[] =>
  [...page.matchAll(/data:image\/png;base64,([^)]*)\)/g)].map(match => match[1] as string);
const finding = (page: string): string =>
  /<h2>Collected episodes as trees<\/h2><p class="finding">([^<]*)/.exec(page)?.[1] ?? '';
const pictured = (page: string): string[] =>
  [...page.matchAll(/<article class="card pictured" id="([^"]*)"/g)].map(match => match[1] as string);

describe('screenshots in a report', () => {
  it('[PIC-8] are in the page once each, however many steps were taken on them', () => {
    const page = writeReport(data, { pictures: find });
    const shots = data.gallery.flatMap(({ nodes }) => nodes).length;
    expect(pictures.size).toBeLessThan(shots);
    expect(addresses(page).toSorted()).toEqual(
      [...pictures.values()].map(picture => Buffer.from(picture).toString('base64')).toSorted(),
    );
    expect(page.match(/class="screen picture-/g)?.length).toBeGreaterThan(shots);
    expect(page).toContain('img-src data:');
    expect(page).not.toMatch(/(src|href)=|@import|https?:/);
  });

  it('[PIC-8] have a bound: a tree that does not fit is drawn without, and the report says so', () => {
    const sizes = data.gallery.map(({ nodes }) => {
      const hashes = new Set(nodes.map(({ shot }) => shot?.hash ?? ''));
      return [...hashes].reduce((sum, hash) => sum + Math.ceil((find(hash)?.length ?? 0) / 3) * 4, 0);
    });
    const pictureLimit = (sizes[0] ?? 0) + (sizes[1] ?? 0);
    const page = writeReport(data, { pictures: find, pictureLimit });
    // The last has the screenshots of the first, and costs nothing.
    expect(pictured(page)).toEqual(['tree-0', 'tree-1', 'tree-3']);
    expect(addresses(page).join('').length).toBe(pictureLimit);
    expect(finding(page)).toContain('1 tree is drawn without screenshots: a page holds');
    const tighter = writeReport(data, { pictures: find, pictureLimit: pictureLimit - 1 });
    expect(pictured(tighter)).not.toContain('tree-1');
    expect(addresses(tighter).join('').length).toBeLessThan(pictureLimit);
    const none = writeReport(data, { pictures: find, pictureLimit: 0 });
    expect(addresses(none)).toEqual([]);
    expect(none).not.toContain('img-src');
    expect(finding(none)).toContain('4 trees are drawn without screenshots: a page holds 0 MB of them.');
  });

  it('[PIC-8] that cannot be had are named as missing, and the steps are drawn as ever', () => {
    const bare = writeReport(data);
    expect(addresses(bare)).toEqual([]);
    expect(finding(bare)).toContain('The screenshots are not in this page');
    const lost = data.gallery[0]?.nodes[0]?.shot?.hash;
    const page = writeReport(data, { pictures: hash => (hash === lost ? null : find(hash)) });
    expect(finding(page)).toContain('1 screenshot of these steps cannot be found in the store.');
    // One step of the first tree, one of the last.
    expect(page.match(/No screenshot of this step\./g)).toHaveLength(2);
    expect(pictured(page)).toHaveLength(4);
  });

  it('[PIC-9] are named in the data, which has no bytes of them and draws the same page again', () => {
    const text = JSON.stringify(data);
    for (const [hash, picture] of pictures) {
      expect(text).toContain(hash);
      expect(text).not.toContain(Buffer.from(picture).toString('base64').slice(40, 80));
    }
    expect(writeReport(readReportData(JSON.parse(text)), { pictures: find })).toBe(
      writeReport(data, { pictures: find }),
    );
  });

  it('[PIC-8] leave a report that has none as it is', () => {
    for (const report of [demoReport(), collectReport()]) {
      const page = writeReport(report, { pictures: find });
      expect(page).toBe(writeReport(report));
      expect(page).not.toMatch(/class="(card pictured|split|stage|film)/);
      expect(page).not.toContain('creenshot');
    }
  });

  it('[PIC-10] are in the page of a single episode, which is drawn without them as well', () => {
    const tree = data.gallery[0]!;
    const page = writeEpisodePage(tree, { pictures: find, version: '1.2.3' });
    expect(addresses(page)).toHaveLength(new Set(tree.nodes.map(({ shot }) => shot?.hash)).size);
    expect(page).toContain(`<h1>${tree.key}</h1>`);
    expect(page.match(/class="step /g)).toHaveLength(tree.nodes.length);
    const plain = writeEpisodePage(demoReport().gallery[0]!, { pictures: find, version: '1.2.3' });
    expect(plain.match(/class="step /g)).toHaveLength(tree.nodes.length);
    expect(addresses(plain)).toEqual([]);
    expect(plain).not.toContain('creenshot');
  });
});
