/** Placeholder until the table is merged. */
export const understood: Readonly<Record<string, string>> = {};
export const elsewhere: ReadonlySet<string> = new Set();
