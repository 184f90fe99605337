/** A key as the browser wants to be told of it. */
export interface Key {
  readonly key: string;
  readonly code: string;
  readonly windowsVirtualKeyCode: number;
  /** What it types. */
  readonly text?: string;
}

const named: Readonly<Record<string, readonly [code: number, text?: string]>> = {
  Backspace: [8],
  Tab: [9],
  Enter: [13, '\r'],
  Shift: [16],
  Control: [17],
  Alt: [18],
  Escape: [27],
  PageUp: [33],
  PageDown: [34],
  End: [35],
  Home: [36],
  ArrowLeft: [37],
  ArrowUp: [38],
  ArrowRight: [39],
  ArrowDown: [40],
  Insert: [45],
  Delete: [46],
  Meta: [91],
  F1: [112],
  F2: [113],
  F3: [114],
  F4: [115],
  F5: [116],
  F6: [117],
  F7: [118],
  F8: [119],
  F9: [120],
  F10: [121],
  F11: [122],
  F12: [123],
};

/** Other names that agents use. */
const aliases: Readonly<Record<string, string>> = {
  ctrl: 'Control',
  cmd: 'Meta',
  command: 'Meta',
  option: 'Alt',
  esc: 'Escape',
  return: 'Enter',
  del: 'Delete',
  space: ' ',
  up: 'ArrowUp',
  down: 'ArrowDown',
  left: 'ArrowLeft',
  right: 'ArrowRight',
  pageup: 'PageUp',
  pagedown: 'PageDown',
};

const modifierBits: Readonly<Record<string, number>> = { Alt: 1, Control: 2, Meta: 4, Shift: 8 };

export interface Chord {
  readonly keys: readonly Key[];
  /** Of the modifiers that are held, as the browser counts them. */
  readonly modifiers: number;
  /** What an editor does on this chord: Chromium without a window has no such bindings of its own. */
  readonly commands: readonly string[];
}

const editing: Readonly<Record<string, string>> = { a: 'selectAll' };

/** A browser has one clipboard for all its pages, and what it can undo cannot be restored: it hears of none of these. */
const unheard = /^((Control|Meta)\+(Shift\+)?([cvxzy]|Insert)|Shift\+(Insert|Delete))$/i;

/** Reads `Control+a`; null when it names a key that there is none of. */
export function readChord(text: string): Chord | null {
  // A plus that follows a plus is a key.
  const names = text.split(/(?<=[^+])\+/).map(name => aliases[name.toLowerCase()] ?? properCase(name));
  const keys = names.map((name, index) => keyOf(index > 0 && names.includes('Shift') ? shifted(name) : name));
  if (keys.length === 0 || keys.some(key => key === null)) return null;
  const held = names.slice(0, -1);
  if (held.some(name => modifierBits[name] === undefined)) return null;
  const modifiers = held.reduce((bits, name) => bits | (modifierBits[name] as number), 0);
  const command = (modifiers & 6) === 0 ? undefined : editing[(names.at(-1) as string).toLowerCase()];
  return { keys: heard(keys as Key[], names), modifiers, commands: command === undefined ? [] : [command] };
}

/** Pages hear of every key by its name; the browser itself goes by the number. */
function heard(keys: readonly Key[], names: readonly string[]): readonly Key[] {
  if (!unheard.test(names.join('+'))) return keys;
  return keys.with(-1, { ...(keys.at(-1) as Key), windowsVirtualKeyCode: 0 });
}

/** With Shift held, a letter is a capital one. */
function shifted(name: string): string {
  return /^[a-z]$/.test(name) ? name.toUpperCase() : name;
}

/** `enter` is meant as `Enter`; single characters are meant as they are. */
function properCase(name: string): string {
  if (name.length === 1) return name;
  return Object.keys(named).find(known => known.toLowerCase() === name.toLowerCase()) ?? name;
}

function keyOf(name: string): Key | null {
  const known = named[name];
  if (known !== undefined) {
    const [windowsVirtualKeyCode, text] = known;
    return { key: name, code: name, windowsVirtualKeyCode, ...(text === undefined ? {} : { text }) };
  }
  return [...name].length === 1 ? characterKey(name) : null;
}

/** The key that types this character. */
export function characterKey(character: string): Key {
  const upper = character.toUpperCase();
  if (/^[A-Z]$/.test(upper))
    return { key: character, code: `Key${upper}`, windowsVirtualKeyCode: upper.charCodeAt(0), text: character };
  if (/^\d$/.test(character))
    return {
      key: character,
      code: `Digit${character}`,
      windowsVirtualKeyCode: character.charCodeAt(0),
      text: character,
    };
  if (character === ' ') return { key: ' ', code: 'Space', windowsVirtualKeyCode: 32, text: ' ' };
  if (character === '\n') return { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13, text: '\r' };
  return { key: character, code: '', windowsVirtualKeyCode: 0, text: character };
}

/** A key that does nothing by itself. */
export const shift: Chord = {
  keys: [{ key: 'Shift', code: 'ShiftLeft', windowsVirtualKeyCode: 16 }],
  modifiers: 0,
  commands: [],
};

/** The key that deletes what is selected. */
export const deletion: Chord = {
  keys: [{ key: 'Delete', code: 'Delete', windowsVirtualKeyCode: 46 }],
  modifiers: 0,
  commands: [],
};
