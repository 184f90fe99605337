import type { ProgramPage } from './page-program.ts';

/** Whether the parser may have attached shadow roots to the documents of a page: those, nobody may be able to find. */
export interface ParsedRoots {
  /** Hears what a document was written in, by its number in the network. */
  read(id: string, source: Buffer): void;
  /** In the document that the page shows. */
  mayBeIn(page: ProgramPage): Promise<boolean>;
}

const [word, escape] = ['shadowrootmode', 0x1b];

/** A page leads through fewer documents before one is asked for. */
const mostKept = 16;

export function watchParsedRoots(): ParsedRoots {
  const documents = new Map<string, boolean>();
  return {
    read(id, source) {
      documents.set(id, mayHaveWord(source));
      const [oldest] = documents.keys();
      if (documents.size > mostKept && oldest !== undefined) documents.delete(oldest);
    },
    async mayBeIn(page) {
      const { frameTree } = await page.send<{ frameTree: { frame: { loaderId: string } } }>('Page.getFrameTree');
      return documents.get(frameTree.frame.loaderId) ?? true;
    },
  };
}

/** Whatever it is encoded in: some encodings put zeros between letters, some escapes. */
function mayHaveWord(source: Buffer): boolean {
  return source.includes(escape) || source.toString('latin1').replaceAll('\0', '').toLowerCase().includes(word);
}
