/** Shorter ones are placeholders (`EMPTY`, `none`): taking those out would only spoil words. */
const shortest = 8;
/** Replaces a secret. */
export const veil = '[key]';

/** What secrets look like in a text: as they are, as part of an address, and as JSON. */
export function secretForms(secrets: readonly (string | null)[]): readonly string[] {
  const known = secrets.filter(secret => secret !== null && secret.length >= shortest) as string[];
  return [
    ...new Set(known.flatMap(secret => [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])),
  ];
}

/** The text without the secrets, also where somebody wrote them as part of an address or as JSON. */
export function redact(text: string, secrets: readonly (string | null)[]): string {
  let clean = text;
  for (const form of secretForms(secrets)) clean = clean.replaceAll(form, veil);
  return clean;
}

/** A value of JSON without the secrets; the very same value where none is in it. */
export function redactJson<T>(value: T, secrets: readonly (string | null)[]): T {
  const text = JSON.stringify(value);
  const clean = redact(text, secrets);
  return clean === text ? value : (JSON.parse(clean) as T);
}
