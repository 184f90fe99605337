/**
 * What the signs on buttons stand for, as icon sets and keyboards use them everywhere. A list of common use: no sign is here for the
 * sake of one app.
 */
const meanings: readonly (readonly [signs: string, words: string])[] = [
  ['☆★⭐🌟✩✰', 'star favorite'],
  ['♡♥❤', 'like favorite'],
  ['✕✖×✗✘❌⨯', 'close remove delete cancel clear'],
  ['🗑', 'delete trash remove'],
  ['⚙🛠🔧', 'settings preferences configure'],
  ['✎✏🖉🖊📝🖋', 'edit rename'],
  ['+＋➕⊕', 'add new create'],
  ['−–➖⊖', 'remove less'],
  ['⋮⋯…☰≡•••', 'more menu options'],
  ['🔍🔎⌕', 'search find'],
  ['✓✔☑✅', 'done save check complete'],
  ['🔔', 'notification reminder alert'],
  ['🔕🔇', 'mute'],
  ['📎', 'attach file'],
  ['✉📧📨', 'email message send'],
  ['📤', 'send export share'],
  ['📥', 'inbox download archive'],
  ['🗄🗃', 'archive'],
  ['📁📂🗂', 'folder move'],
  ['🏷', 'label tag'],
  ['🔒🔐', 'lock private security'],
  ['🔓', 'unlock'],
  ['👁', 'view show preview'],
  ['🚫⛔', 'block'],
  ['↩⮐', 'reply undo'],
  ['↪', 'forward redo'],
  ['↻⟳🔄🔃', 'refresh sync'],
  ['📋⧉', 'copy duplicate'],
  ['🔗', 'link'],
  ['📅🗓📆', 'date calendar schedule'],
  ['⏰🕐⏱⏲🕒', 'time snooze reminder'],
  ['👤👥', 'user profile account people'],
  ['🚩⚑⚐', 'flag'],
  ['📌📍', 'pin'],
  ['💬🗨', 'comment message'],
  ['🖨', 'print'],
  ['⬇↓', 'download down'],
  ['⬆↑', 'upload up'],
  ['←‹❮◀', 'back previous'],
  ['→›❯▶▷', 'next expand'],
  ['▾▼⌄', 'open expand'],
  ['🌙', 'dark theme'],
  ['☀', 'light theme'],
  ['❓', 'help'],
  ['ℹ🛈', 'information details'],
  ['🏠', 'home'],
  ['💾', 'save'],
  ['💳', 'card payment'],
  ['🖼', 'image picture'],
];

/** Letters on the buttons of text editors. */
const letters: ReadonlyMap<string, string> = new Map([
  ['B', 'bold'],
  ['I', 'italic'],
  ['U', 'underline'],
  ['S', 'strikethrough'],
]);

const wordsBySign: ReadonlyMap<string, string> = new Map(
  meanings.flatMap(([signs, words]) => Array.from(signs, sign => [sign, words] as const)),
);

/** A longer name says by itself what it means. */
const longestSign = 3;

/** The words that a name of signs stands for; none for a name of words. */
export function iconWords(name: string): string {
  if (name.length > longestSign) return '';
  return letters.get(name) ?? Array.from(name, sign => wordsBySign.get(sign) ?? '').join(' ');
}

const picture = /\p{Extended_Pictographic}\uFE0F?/gu;
/** Icons of the Material fonts are words to a screen reader: `account_balance`, and set beside a name without a space. */
const ligature =
  /(?:expand_more|expand_less|arrow_drop_down|unfold_more)|(?<![\p{L}\p{N}])[a-z]+(?:_[a-z]+)+(?![\p{L}\p{N}_])/gu;

/** A name without the pictures in it; a name that is a picture alone is left as it is. */
export function withoutIcons(name: string): string {
  const plain = name.replaceAll(picture, ' ').replaceAll(ligature, ' ');
  return plain.trim() === '' ? name : plain;
}
