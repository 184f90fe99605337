import type { RenderNode } from './render-node.ts';

/** A part of an element that is only looked at, or a part of its own words. */
export interface Piece {
  readonly part: string;
  readonly text?: string;
  readonly icon?: string;
  /** How much of it is full, or which of the colours it has. */
  readonly amount?: string;
}

/** How one node is drawn. */
export interface ElementStyle {
  readonly tag: string;
  /** Words for the style sheet. */
  readonly look: string;
  /** Decoration before the children. */
  readonly pieces: readonly Piece[];
  /** The own words of the element; joined, they are its name. Empty when the name is a label. */
  readonly words: readonly Piece[];
}

export type StyleElement = (node: RenderNode, parent: RenderNode) => ElementStyle;

/** Decides how nodes look, by role, state and place, and by words that software has in common. Sent to the page as text. */
export function createElementStyle(): StyleElement {
  const tags: Readonly<Record<string, string>> = {
    banner: 'header',
    navigation: 'nav',
    region: 'section',
    heading: 'h2',
    text: 'p',
    link: 'a',
    button: 'button',
    tab: 'button',
    menuitem: 'button',
    checkbox: 'button',
    radio: 'button',
    switch: 'button',
  };
  const wordy = new Set(['heading', 'text', 'alert', 'status', 'cell', 'button', 'link', 'tab', 'menuitem']);
  const iconWords: readonly (readonly [RegExp, string])[] = [
    [/^(back|return)\b(?! in)/i, 'back'],
    [/^(next|further|older)\b/i, 'right'],
    [/^(previous|earlier|newer)\b/i, 'left'],
    [/^(new|add|create|compose|report)\b/i, 'plus'],
    [/^(clear|cancel|close|discard|dismiss)\b/i, 'close'],
    [/\b(delete|remove|trash|bin|erase|throw|empty|deleted)\b/i, 'trash'],
    [/\binbox\b/i, 'inbox'],
    [/\b(drafts?|edit|change|rename|write|note)\b/i, 'edit'],
    [/\b(sent|send|submit)\b/i, 'send'],
    [/\b(archive|file away)\b/i, 'archive'],
    [/\b(spam|junk)\b/i, 'shield'],
    [/\brules?\b/i, 'sliders'],
    [/\b(settings|options|preferences|configur\w+)\b/i, 'gear'],
    [/\b(reply|answer|respond)\b/i, 'reply'],
    [/\b(forward|pass on|send on)\b/i, 'forward'],
    [/\bfilters?\b|\brefine\b/i, 'funnel'],
    [/\b(contacts?|members?|people|team|account)\b/i, 'people'],
    [/\b(labels?|tags?|offers?|coupons?|deals)\b/i, 'tag'],
    [/\b(star|important|flag)\b/i, 'star'],
    [/\b(wish|wishes|favou?rites?)\b/i, 'heart'],
    [/\b(cart|basket|checkout|check out)\b/i, 'cart'],
    [/\b(shop|products?|browse|buy)\b/i, 'bag'],
    [/\b(orders?|parcel)\b/i, 'box'],
    [/\b(address\w*|places?)\b/i, 'pin'],
    [/\b(home|start)\b/i, 'home'],
    [/\bboard\b/i, 'board'],
    [/\b(backlog|all mail)\b/i, 'stack'],
    [/\b(sprints?|iterations?|run|again|status)\b/i, 'cycle'],
    [/\b(saved|searches|save)\b/i, 'bookmark'],
    [/\b(link|relation|connect)\b/i, 'link'],
    [/\b(comments?|reviews?)\b/i, 'comment'],
    [/\b(move|put|folder)\b/i, 'folder'],
    [/\b(unread|read|seen|mail|messages?)\b/i, 'mail'],
    [/\b(issues?|list|all)\b/i, 'list'],
  ];
  const away = /^(cancel|close|keep|no\b|not now|dismiss|never mind|back\b)/i;
  const harmful = /^(delete|remove|discard|empty|erase|throw|drop|unlink|yes, (cancel|delete)|confirm (del|canc))/i;
  const weighty =
    /^(send|save|create|place|check out|go to checkout|continue|publish|post|submit|apply|confirm|start|complete|turn on|rename|add|use|buy|put|new|redeem|store|write)\b/i;
  const weightiest = /^(send|save|publish|post|submit|start|complete)\b(?! (draft|for later))/i;
  const bad = /^(out of stock|urgent|overdue|expired|cancelled|failed|blocked)(?=$|[,:])/i;
  const busy = /^(in progress|processing|shipped|in review|high|only \d+ left|planned|pending)(?=$|[,:])/i;
  const good = /^(done|delivered|in stock|active|completed|paid|default address)(?=$|[,:])/i;
  const date = /^\d{4}-\d\d-\d\d(?: \d\d:\d\d)?$/;
  const price = /^[€$£]\d[\d,]*(?:\.\d\d)?(?: each)?$/;
  const input = /^(\p{Lu})[\p{L}'’-]+ (?:\p{Lu}[\p{L}'’-]+ )?(\p{Lu})[\p{L}'’.-]*(?= on |$)/u;

  const nameOf = (node: RenderNode): string => node.name ?? '';
  const inside = (node: RenderNode): readonly RenderNode[] => node.children ?? [];
  const isItem = ({ role }: RenderNode): boolean => role === 'row' || role === 'listitem';
  const isToggle = ({ role }: RenderNode): boolean => role === 'checkbox' || role === 'radio' || role === 'switch';
  const isStar = ({ role, name = '' }: RenderNode): boolean =>
    role === 'switch' && /^(star|flag|favou?rite|mark as important|pin)\b/i.test(name);
  const iconFor = (name: string): string => iconWords.find(([words]) => words.test(name))?.[1] ?? 'dot';
  const toneOf = (text: string): string => {
    if (bad.test(text)) return 'bad';
    if (busy.test(text)) return 'busy';
    return good.test(text) ? 'good' : 'calm';
  };
  const hueOf = (text: string): string => {
    let sum = 7;
    for (let index = 0; index < text.length; index++) sum = (sum * 31 + text.charCodeAt(index)) % 9973;
    return String(sum % 6);
  };

  const isSum = ({ role, name = '' }: RenderNode): boolean =>
    role === 'text' && /: (?:free|[-–]?[€$£]\d[\d.,]*)$/.test(name);

  /** A line starts with what it leads to; an entry has its name for a title. */
  function isLine(item: RenderNode): boolean {
    return inside(item).find(child => !isToggle(child))?.role === 'link';
  }

  const tiled = new WeakMap<RenderNode, boolean>();
  function isTiled(node: RenderNode): boolean {
    const known = tiled.get(node) ?? haveTiles(inside(node));
    tiled.set(node, known);
    return known;
  }

  function haveTiles(children: readonly RenderNode[]): boolean {
    const isTile = (child: RenderNode): boolean =>
      child.role === 'listitem' && inside(child).length === 1 && isLine(child) && /^[€$£]\d/.test(nameOf(child));
    return children.length > 0 && children.every(isTile);
  }

  /** Columns of cards: lists of links side by side. */
  function isColumn(node: RenderNode): boolean {
    const links = inside(node).filter(({ role }) => role === 'link').length;
    return node.role === 'list' && links > 0 && /: \d+$/.test(nameOf(node));
  }
  const hasColumns = (parent: RenderNode): boolean => parent.role === 'region' && inside(parent).some(isColumn);

  /** The name of an item without the words that its children show. */
  function restOfName(item: RenderNode): string {
    let rest = nameOf(item);
    for (const { name = '', role } of inside(item)) {
      if (name === '' || !wordy.has(role)) continue;
      if (rest === name) return '';
      if (rest.endsWith(name) && /[\s,:;]/.test(rest.at(-name.length - 1) ?? '')) rest = rest.slice(0, -name.length);
      else if (rest.startsWith(name) && /[\s,:;]/.test(rest.charAt(name.length))) rest = rest.slice(name.length);
      rest = rest.replace(/^[\s,:;]+|[\s,:;]+$/g, '');
    }
    return rest;
  }

  function leadPieces(item: RenderNode, parent: RenderNode): Piece[] {
    const rest = restOfName(item);
    // Columns stay in line when every row of a table has the same ones.
    if (parent.role === 'table') return inside(parent).some(restOfName) ? [{ part: 'lead', text: rest }] : [];
    const title = nameOf(inside(item).find(({ role }) => role === 'link') ?? item);
    const pieces: Piece[] = [];
    const initials = input.exec(nameOf(item)) ?? input.exec(title);
    if (isTiled(parent)) pieces.push({ part: 'thumb', text: title.slice(0, 1), amount: hueOf(title) });
    else if (initials !== null && !inside(item).some(({ role }) => role === 'checkbox'))
      pieces.push({ part: 'portrait', text: `${initials[1]}${initials[2]}`, amount: hueOf(initials[0]) });
    if (rest === '') return pieces;
    const [stars] = /^\d(?:\.\d)?(?= stars?\b)/.exec(rest) ?? [];
    if (stars !== undefined) return [...pieces, rating(stars), { part: 'lead', text: rest }];
    const parts = isLine(item) || isTiled(parent) ? rest.split(/, (?=\S)/) : [rest];
    parts.forEach((text, index) => {
      const given = /^\d(?:\.\d)?(?= stars?$)/.exec(text)?.[0];
      if (given !== undefined) pieces.push(rating(given), { part: 'aside', text });
      else if (date.test(text)) pieces.push({ part: 'when', text });
      else if (price.test(text)) pieces.push({ part: 'price', text });
      else if (toneOf(text) !== 'calm' && (index > 0 || item.role !== 'row'))
        pieces.push({ part: 'pill', text, amount: toneOf(text) });
      else if (index === 0) pieces.push({ part: /^[\p{Lu}\d]+-\d+$/u.test(text) ? 'key' : 'lead', text });
      else pieces.push({ part: 'aside', text });
    });
    return pieces;
  }

  function rating(stars: string): Piece {
    return { part: 'rating', text: '★★★★★', amount: `${Number(stars) * 20}%` };
  }

  /** What is written over a container, or nothing where it would only repeat what is seen. */
  function titlePieces(node: RenderNode, parent: RenderNode): Piece[] {
    const { role, name = '' } = node;
    const isTop = parent.role === 'page';
    if (name === '' || role === 'search') return [];
    if (role === 'banner' || role === 'navigation') {
      const first = inside(parent).find(child => child.role === 'banner' || child.role === 'navigation');
      if (isTop && first === node)
        return [
          { part: 'logo', text: nameOf(parent).slice(0, 1) },
          { part: 'brand', text: nameOf(parent) },
        ];
      return isTop || parent.role === 'banner' ? [] : [{ part: 'caption', text: name }];
    }
    if (role === 'toolbar') return /[\d:]/.test(name) ? [{ part: 'caption', text: name }] : [];
    if (role === 'region') {
      const isOver = inside(node).some(child => child.role === 'heading');
      return [{ part: isOver ? 'over' : isTop ? 'title' : 'subtitle', text: name }];
    }
    if (role === 'form') {
      const others = inside(parent).filter(child => child !== node && (child.role === 'form' || child.role === 'list'));
      return parent.role === 'region' && others.length === 0 ? [] : [{ part: 'subtitle', text: name }];
    }
    if (role === 'list' || role === 'table' || role === 'menu') {
      const none = inside(node).length === 0 && role !== 'menu' ? [{ part: 'blank', icon: 'inbox' }] : [];
      return [...none, { part: 'caption', text: name }];
    }
    return [{ part: 'subtitle', text: name }];
  }

  /** The button of a group that people mostly press. */
  function isPrimary(node: RenderNode, parent: RenderNode): boolean {
    if (parent.role === 'navigation') return true;
    const buttons = inside(parent).filter(
      ({ role, name = '' }) => role === 'button' && !harmful.test(name) && !away.test(name),
    );
    if (parent.role === 'toolbar') return buttons.find(({ name = '' }) => weightiest.test(name)) === node;
    const weightyOne =
      buttons.find(({ name = '' }) => weightiest.test(name)) ?? buttons.find(({ name = '' }) => weighty.test(name));
    const isAsked = parent.role === 'dialog' && !inside(parent).some(({ name = '' }) => harmful.test(name));
    return (weightyOne ?? (isAsked ? buttons[0] : undefined)) === node;
  }

  function buttonLook(node: RenderNode, parent: RenderNode): string {
    const name = nameOf(node);
    const tone = harmful.test(name) ? ' danger' : '';
    const isPager = parent.role === 'navigation' && inside(parent).every(({ role }) => role === 'button');
    if (isPager) return 'plain';
    if (isItem(parent)) return `quiet${tone}`;
    if (parent.role === 'dialog' && tone !== '') return 'solid danger';
    if (tone === '' && isPrimary(node, parent)) return 'solid';
    return `plain${tone}`;
  }

  function linkLook(node: RenderNode, parent: RenderNode): string {
    if (parent.role === 'navigation') return 'place';
    if (parent.role === 'list') return 'card';
    if (isItem(parent) && inside(parent).find(({ role }) => role === 'link') === node)
      return isLine(parent) ? 'subject' : 'link';
    return parent.role === 'region' && inside(parent)[0] === node ? 'back' : 'link';
  }

  function wordLook(node: RenderNode, parent: RenderNode): string {
    const { role, name = '' } = node;
    if (role === 'button') return buttonLook(node, parent);
    if (role === 'link') return linkLook(node, parent);
    if (role === 'status') return toneOf(name);
    if (role !== 'text') return '';
    if (hasColumns(parent) && /: \d+$/.test(name)) return 'column';
    if (isItem(parent)) {
      const siblings = inside(parent);
      const rest = siblings.slice(siblings.indexOf(node) + 1);
      return isLine(parent) || (rest.length > 0 && rest.every(other => other.role !== 'text')) ? 'meta' : 'line';
    }
    if (parent.role === 'region' && /^(no|nothing)\b/i.test(name)) return 'empty';
    if (!/^\p{Lu}[\p{L} ()'-]{0,27}: \S/u.test(name)) return 'line';
    if (!isSum(node) || inside(parent).filter(isSum).length < 2) return 'pair';
    return /^total:/i.test(name) ? 'sum total' : 'sum';
  }

  function wordPieces(node: RenderNode, look: string, parent: RenderNode): Piece[] {
    const text = nameOf(node);
    const plain = [{ part: '', text }];
    if (look === 'pair' || look.startsWith('sum')) {
      const at = text.indexOf(': ') + 2;
      return [
        { part: 'key', text: text.slice(0, at) },
        { part: 'value', text: text.slice(at) },
      ];
    }
    if (look !== 'meta' || node.role !== 'text' || !isItem(parent)) return plain;
    const parts = text.split(/(, )/);
    if (!isLine(parent) || (parts.length < 3 && parent.role === 'row') || parts.some(part => part.length > 22))
      return plain;
    return parts.map((part, index) =>
      index % 2 === 1 ? { part: 'comma', text: part } : { part: 'chip', text: part, amount: toneOf(part) },
    );
  }

  /** Pictures that go with words. */
  function iconPieces(node: RenderNode, look: string, parent: RenderNode): Piece[] {
    const { role, name = '', states = [] } = node;
    if (role === 'alert') return [{ part: 'icon', icon: 'info' }];
    if (look === 'empty') return [{ part: 'blank', icon: 'inbox' }];
    if (role === 'menuitem') return [{ part: 'icon', icon: states.includes('checked') ? 'check' : iconFor(name) }];
    if (look === 'back') return [{ part: 'icon', icon: 'back' }];
    const icon = iconFor(name);
    if (role === 'status' && parent.role === 'banner' && icon !== 'dot') return [{ part: 'icon', icon }];
    if (role !== 'button' && look !== 'place') return [];
    const isShown = look === 'place' || (icon !== 'dot' && (parent.role === 'navigation' || parent.role === 'toolbar'));
    return isShown ? [{ part: 'icon', icon }] : [];
  }

  function togglePieces(node: RenderNode, parent: RenderNode): Piece[] {
    const { role, name = '' } = node;
    const label = { part: 'label', text: name };
    if (isStar(node))
      return isItem(parent) ? [{ part: 'icon', icon: 'star' }] : [{ part: 'icon', icon: 'star' }, label];
    if (role === 'checkbox' && isItem(parent)) return [{ part: 'box', icon: 'check' }];
    return role === 'switch' ? [label, { part: 'track' }] : [{ part: 'box', icon: 'check' }, label];
  }

  /** Long texts have room to be read. */
  function fieldTag({ role, name = '', value = '', options }: RenderNode, parent: RenderNode): string {
    if (role === 'combobox' && options !== undefined) return 'select';
    if (/[\r\n]/.test(value)) return 'textarea';
    const isLong = /\b(text|message|body|description|notes?|comments?|biography|letter)$/i.test(name);
    return isLong && parent.role !== 'search' ? 'textarea' : 'input';
  }

  function dressField(node: RenderNode, parent: RenderNode): ElementStyle {
    const { name = '', value = '', options, states = [] } = node;
    const tag = fieldTag(node, parent);
    const isStacked = parent.role === 'form' || parent.role === 'dialog';
    const isSeek = parent.role === 'search' && tag === 'input';
    const size = /\b(title|subject|summary|goal|link)\b/i.test(name) ? `${tag} wide` : tag;
    const look = isSeek ? 'seek' : `${isStacked || tag === 'textarea' ? 'stacked' : 'inline'} ${size}`;
    const label = isSeek ? { part: 'icon', icon: 'search' } : { part: 'label', text: name };
    const required = states.includes('required') ? [{ part: 'required', text: '*' }] : [];
    const shown = tag === 'select' && options?.includes(value) !== true ? [{ part: 'shown', text: value }] : [];
    return { tag, look, pieces: [label, ...required, ...shown], words: [] };
  }

  function containerLook(node: RenderNode, parent: RenderNode): string {
    const { role } = node;
    if (isItem(node)) {
      if (parent.role === 'table') return 'line';
      if (inside(node).filter(child => child.role !== 'text').length > 4) return 'loose';
      return isTiled(parent) ? 'tile' : isLine(node) ? 'line' : 'entry';
    }
    if (role === 'list') {
      if (inside(node).length === 0) return 'none';
      if (hasColumns(parent) && isColumn(node)) return 'column';
      return isTiled(node) ? 'tiles' : 'rows';
    }
    if (role === 'navigation') return parent.role === 'page' ? 'side' : parent.role === 'banner' ? 'bar' : 'pager';
    if (role === 'toolbar') return titlePieces(node, parent).length > 0 ? 'told' : '';
    if (role === 'form' && inside(node).every(child => child.role === 'radio')) return 'radios';
    if (role !== 'region') return '';
    if (parent.role !== 'page') return 'section';
    return hasColumns(node) ? 'board' : inside(node).some(child => child.role === 'heading') ? 'sheet' : '';
  }

  return (node, parent) => {
    const { role } = node;
    if (role === 'textbox' || role === 'combobox') return dressField(node, parent);
    const hasChildren = inside(node).length > 0;
    const known = tags[role] ?? 'div';
    // A native control cannot hold others.
    const tag = hasChildren && (known === 'button' || known === 'a' || known === 'p') ? 'div' : known;
    if (isToggle(node)) {
      const look = isStar(node) ? 'star' : '';
      return { tag, look, pieces: hasChildren ? titlePieces(node, parent) : togglePieces(node, parent), words: [] };
    }
    if (wordy.has(role) && !hasChildren) {
      const look = wordLook(node, parent);
      const words = node.name === undefined ? [] : wordPieces(node, look, parent);
      return { tag, look, pieces: iconPieces(node, look, parent), words };
    }
    const pieces = isItem(node) ? leadPieces(node, parent) : titlePieces(node, parent);
    return { tag, look: containerLook(node, parent), pieces, words: [] };
  };
}
