import type { Random } from '../../core/random.ts';

const kinds = ['person', 'company', 'city', 'book'] as const;
export type Kind = (typeof kinds)[number];

const given =
  'Ada Bruno Clara Dario Edda Felix Greta Hugo Ines Jonas Kara Leon Mira Nils Olga Pavel Runa Stefan Tilda Ulric Vera Willem Xenia Yara Zeno Alma Boris Cora Denis Elif'.split(
    ' ',
  );
const beginnings =
  'Bar Bel Cor Dal Den Far Gal Hal Har Kel Lan Lor Mar Mel Nor Or Pel Quin Ral Sel Tam Tor Ul Val Wen'.split(' ');
const middles = 'a e i o u an en in on ar er or il ol ea io'.split(' ');
const surnameEnds = 'berg dahl strom ner vik sen kova mont rich zek lund holt ler novi quist'.split(' ');
const cityEnds = 'ford ham stad burg mouth haven wick dale port minster ton by field grad'.split(' ');
const companyEnds = 'Works|Labs|Motors|Foods|Textiles|Shipping|Optics|Pharma|Steel|Press|Energy|Airways'.split('|');
const adjectives =
  'Silent Distant Golden Broken Hollow Winter Crimson Second Burning Paper Glass Northern Hidden Last Salt Velvet'.split(
    ' ',
  );
const nouns =
  'Harbour Garden Letter Orchard Mirror Station River Clock Island Bridge Harvest Lantern Tower Voyage Winter Archive'.split(
    ' ',
  );

/** Draws names that no other entity has. Parts of names come back, so that namesakes compete in a search. */
export function createNames(random: Random): (kind: Kind) => string {
  const used = new Set<string>();
  const surname = (): string => random.pick(beginnings) + random.pick(middles) + random.pick(surnameEnds);
  const draw: Record<Kind, () => string> = {
    person: () => `${random.pick(given)} ${surname()}`,
    company: () => `${surname()} ${random.pick(companyEnds)}`,
    city: () => random.pick(beginnings) + random.pick(middles) + random.pick(cityEnds),
    book: () => `${random.pick(adjectives)} ${random.pick(nouns)}`,
  };
  return kind => {
    for (let attempt = 0; ; attempt++) {
      // Where all short names are taken, longer ones are made.
      const name = attempt < 8 ? draw[kind]() : longer(kind, draw[kind](), surname());
      if (used.has(name)) continue;
      used.add(name);
      return name;
    }
  };
}

function longer(kind: Kind, name: string, surname: string): string {
  if (kind === 'book') return `${name} of ${surname}`;
  if (kind === 'city') return `${name} ${surname}`;
  const [first = '', ...rest] = name.split(' ');
  return kind === 'person' ? `${name} ${surname}` : `${first} ${surname} ${rest.join(' ')}`;
}
