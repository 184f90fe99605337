import type { ProgramPage } from '../tab/page-program.ts';

/** A node as the browser describes it. */
interface DomNode {
  readonly nodeType: number;
  readonly nodeValue: string;
  readonly attributes?: readonly string[];
  readonly children?: readonly DomNode[];
  readonly shadowRoots?: readonly DomNode[];
}

interface Property {
  readonly name: string;
  readonly value?: { readonly objectId?: string };
}

const group = 'espalier texts';

/** Reads the texts that fields show and that are not their values: they lie in shadow roots of the browser, hidden from scripts. */
export async function readHiddenTexts(page: ProgramPage): Promise<void> {
  const objectId = await page.handleOf('program.state.texts.takeUnknown()', group);
  const { result } = await page.send<{ result: readonly Property[] }>('Runtime.getProperties', {
    objectId,
    ownProperties: true,
  });
  const fields = result.flatMap(({ name, value }) => (/^\d+$/.test(name) ? (value?.objectId ?? []) : []));
  for (const field of fields) {
    const asked = { objectId: field, depth: -1, pierce: true };
    const { node } = await page.send<{ node: DomNode }>('DOM.describeNode', asked);
    const text = (node.shadowRoots ?? []).map(textOf).join('');
    const values = [{ objectId: field }, { value: text }];
    await page.callWith('function (field, text) { this.state.texts.learn(field, text); }', values);
  }
  await page.send('Runtime.releaseObjectGroup', { objectGroup: group });
}

/** All text in a node but the placeholder. */
function textOf({ nodeType, nodeValue, attributes = [], children = [] }: DomNode): string {
  if (nodeType === 3) return nodeValue;
  return attributes.includes('-webkit-input-placeholder') ? '' : children.map(textOf).join('');
}
