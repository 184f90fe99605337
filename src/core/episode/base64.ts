/** Characters that are turned into text at a time: more would not fit the stack. */
const piece = 2 ** 15;

export function toBase64(data: Uint8Array): string {
  let text = '';
  for (let start = 0; start < data.length; start += piece)
    text += String.fromCharCode(...data.subarray(start, start + piece));
  return btoa(text);
}

/** Null when the text is not what these bytes are written as: padding left out, other letters, line breaks. */
export function fromBase64(text: string): Uint8Array | null {
  const data = decode(text);
  return data !== null && data.length > 0 && toBase64(data) === text ? data : null;
}

function decode(text: string): Uint8Array | null {
  try {
    return Uint8Array.from(atob(text), character => character.charCodeAt(0));
  } catch {
    return null;
  }
}
