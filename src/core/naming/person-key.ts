/** The same for every spelling of a person's name: "Ann", "ann" and " Ann ". */
export function personKey(name: string): string {
  return name.normalize('NFKC').trim().replaceAll(/\s+/g, ' ').toLowerCase();
}
