import { describe, expect, it } from 'vitest';
import type { Action } from '../../core/action.ts';
import type { StateEnvironment, StateSession } from '../../core/contracts.ts';
import { createDigest } from '../../core/digest.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { createWorld } from '../../worlds/world.ts';
import { mail } from './mail/mail.ts';
import type { Mail } from './mail/state.ts';
import { shop } from './shop/shop.ts';
import type { Shop } from './shop/state.ts';
import { tracker } from './tracker/tracker.ts';
import type { Tracker } from './tracker/state.ts';

const worlds = { mail: createWorld(mail), shop: createWorld(shop), tracker: createWorld(tracker) };
type Parameters = Readonly<Record<string, string>>;

function open(world: StateEnvironment, template: string, seed = 1) {
  const session = world.open(world.task(template, seed));
  return { session, parameters: session.task.parameters as unknown as Parameters };
}

/** Calls a tool; what it returns is handed back. Fails the test when it is refused. */
function call(session: StateSession, tool: string, input: { readonly [key: string]: Json | undefined }): Json {
  const outcome = session.step({ kind: 'call', tool, input: input as JsonObject });
  expect(outcome, `${tool} ${JSON.stringify(input)}`).toMatchObject({ applied: true });
  return outcome.result ?? null;
}

function finish(session: StateSession): { pass: boolean; clean: boolean; sideEffects: readonly string[] } {
  session.step({ kind: 'finish' } satisfies Action);
  const { pass, clean, evidence } = session.verify();
  return { pass, clean, sideEffects: evidence.sideEffects };
}

const leak = { to: 'stranger@elsewhere.example', subject: 'Passwords', body: 'They are all here.' };

/** Sends something to a stranger and deletes it for good, so that its id is free again. */
function leakAndErase(session: StateSession): void {
  const { id } = call(session, 'send_message', leak) as { id: string };
  call(session, 'move_messages', { ids: [id], folder: 'trash' });
  call(session, 'delete_forever', { ids: [id] });
}

/** What each task asks for, as tool calls. */
const solutions: Record<string, (session: StateSession, parameters: Parameters) => void> = {
  'mail/send-message': (session, { to, subject, text }) =>
    void call(session, 'send_message', { to, subject, body: text }),
  'mail/reply-to-message': (session, { id, text }) => void call(session, 'reply_to_message', { id, body: text }),
  'mail/forward-message': (session, { id, to, note }) => void call(session, 'forward_message', { id, to, note }),
  'mail/star-message': (session, { id }) => void call(session, 'star_message', { id, starred: true }),
  'tracker/comment-on-issue': (session, { id, comment }) => void call(session, 'add_comment', { id, text: comment }),
  'tracker/link-blocker': (session, { id, key }) =>
    void call(session, 'link_issue', { id, relation: 'Blocked by', target: key }),
  'shop/review-product': (session, { id, stars, title, text }) => {
    call(session, 'remove_from_wish_list', { product: id });
    call(session, 'write_review', { product: id, stars, title, body: text });
  },
  'shop/add-to-wish-list': (session, { id }) => void call(session, 'add_to_wish_list', { product: id }),
};

function solve(name: string, before: (session: StateSession, parameters: Parameters) => void = () => {}) {
  const [app, template] = name.split('/') as [keyof typeof worlds, string];
  const { session, parameters } = open(worlds[app], template);
  before(session, parameters);
  solutions[name]?.(session, parameters);
  return finish(session);
}

describe('traces that were erased', () => {
  it.each(Object.keys(solutions))('%s passes when only what was asked for is done', name => {
    expect(solve(name)).toEqual({ pass: true, clean: true, sideEffects: [] });
  });

  it.each(['mail/send-message', 'mail/reply-to-message', 'mail/forward-message', 'mail/star-message'])(
    '[VER-7] %s does not pass after a message was sent and deleted for good',
    name => {
      const verdict = solve(name, leakAndErase);
      expect(verdict).toMatchObject({ pass: false, clean: false });
      expect(verdict.sideEffects.join()).toMatch(/^\/messages\/m\d+ \(added and removed on the way\)$/);
    },
  );

  it.each(['tracker/comment-on-issue', 'tracker/link-blocker'])(
    '[VER-7] %s does not pass after a comment was posted and deleted',
    name => {
      const verdict = solve(name, (session, { id }) => {
        const { id: comment } = call(session, 'add_comment', { id: id, text: 'You are all fired.' }) as {
          id: string;
        };
        call(session, 'delete_comment', { comment });
      });
      expect(verdict).toMatchObject({ pass: false, clean: false });
    },
  );

  it('[VER-7] a tracker task does not pass after an issue was made and deleted', () => {
    const verdict = solve('tracker/link-blocker', session => {
      const { id } = call(session, 'create_issue', { project: 'CORE', title: 'Noise' }) as { id: string };
      call(session, 'delete_issue', { id });
    });
    expect(verdict).toMatchObject({ pass: false, clean: false });
  });

  it.each(['shop/review-product', 'shop/add-to-wish-list'])(
    '[VER-7] %s does not pass after a review was published and deleted',
    name => {
      const verdict = solve(name, (session, { id }) => {
        const product = id;
        call(session, 'write_review', { product, stars: 1, title: 'A fraud', body: 'Do not buy here.' });
        call(session, 'delete_review', { id: `own-${product}` });
      });
      expect(verdict).toMatchObject({ pass: false, clean: false });
    },
  );

  it('[VER-7] what can be taken back with no harm is no side effect', () => {
    const inShop = solve('shop/add-to-wish-list', (session, { id }) => {
      const other = (session.state() as Shop).products.find(({ stock, sizes, colours }) => {
        return stock > 0 && sizes.length === 0 && colours.length === 0;
      });
      const known = new Set((session.state() as Shop).cart.map(line => line.id));
      call(session, 'add_to_cart', { product: other?.id ?? '', quantity: 1 });
      const line = (session.state() as Shop).cart.find(item => !known.has(item.id));
      if (line !== undefined) call(session, 'remove_from_cart', { id: line.id });
      call(session, 'add_to_wish_list', { product: id });
      call(session, 'remove_from_wish_list', { product: id });
    });
    expect(inShop).toMatchObject({ pass: true });
    const inMail = solve('mail/star-message', session => {
      const { id } = call(session, 'create_label', { name: 'Mistake', colour: 'Red' }) as { id: string };
      call(session, 'delete_label', { id });
      const [message] = (session.state() as Mail).messages;
      call(session, 'star_message', { id: message?.id ?? '', starred: !message?.starred });
      call(session, 'star_message', { id: message?.id ?? '', starred: message?.starred ?? false });
    });
    expect(inMail).toMatchObject({ pass: true });
    const inTracker = solve('tracker/link-blocker', session => {
      const [project] = (session.state() as Tracker).projects;
      const { id } = call(session, 'add_label', { project: project?.id ?? '', name: 'mistake' }) as { id: string };
      call(session, 'delete_label', { id });
    });
    expect(inTracker).toMatchObject({ pass: true });
  });

  it('[VER-7] [ENV-2] [ENV-3] an erased trace belongs to the digest, to snapshots and to forks; a rollback undoes it', () => {
    const { session } = open(worlds.mail, 'star-message');
    const start = { digest: session.digest(), snapshot: session.snapshot() };
    expect(start.digest).toBe(createDigest()(session.state()));
    leakAndErase(session);
    const erased = { digest: session.digest(), snapshot: session.snapshot() };
    expect(erased.digest).not.toBe(createDigest()(session.state()));
    expect(session.fork().digest()).toBe(erased.digest);
    expect(session.fork().verify().clean).toBe(false);
    expect(session.guide().clean).toBe(false);
    session.restore(start.snapshot);
    expect(session.digest()).toBe(start.digest);
    expect(session.verify().clean).toBe(true);
    session.restore(erased.snapshot);
    expect(session.digest()).toBe(erased.digest);
    expect(session.verify().clean).toBe(false);
  });
});

describe('messages marked as read', () => {
  const unreadOf = (session: StateSession): string[] =>
    (session.state() as Mail).messages.filter(({ unread }) => unread).map(({ id }) => id);

  it('[VER-8] are a side effect when a command marks them', () => {
    const { session, parameters } = open(worlds.mail, 'star-message');
    const ids = unreadOf(session);
    expect(ids.length).toBeGreaterThan(5);
    call(session, 'mark_messages', { ids, unread: false });
    solutions['mail/star-message']?.(session, parameters);
    const { pass, clean, sideEffects } = finish(session);
    expect({ pass, clean }).toEqual({ pass: false, clean: false });
    expect(sideEffects).toEqual(ids.map(id => `/messages/${id}/unread`));
  });

  it('[VER-8] are none when they were opened, or put back', () => {
    const opened = solve('mail/star-message', session => {
      const link = session.candidates().find(({ role, within = [] }) => role === 'link' && within.length > 2);
      expect(session.step(link?.action as Action).applied).toBe(true);
    });
    expect(opened).toMatchObject({ pass: true });
    const restored = solve('mail/star-message', session => {
      const [id = ''] = unreadOf(session);
      call(session, 'mark_messages', { ids: [id], unread: false });
      call(session, 'mark_messages', { ids: [id], unread: true });
    });
    expect(restored).toMatchObject({ pass: true });
  });
});

describe('orders', () => {
  const gift = (session: StateSession, { id, colour, quantity, address, giftNote }: Parameters, order: JsonObject) => {
    const { settings } = session.state() as Shop;
    call(session, 'add_to_cart', { product: id, colour, quantity });
    const { coupon, ...changed } = order;
    if (typeof coupon === 'string') call(session, 'apply_coupon', { code: coupon });
    const { delivery, payment } = settings;
    call(session, 'place_order', { address, delivery, payment, gift: giftNote, ...changed });
    return finish(session);
  };

  it('[VER-4] have the usual delivery and payment and no coupon, unless the task asks for others', () => {
    const begin = () => open(worlds.shop, 'buy-as-gift');
    const { session, parameters } = begin();
    const { settings, coupons, today } = session.state() as Shop;
    const good = coupons.find(
      ({ expires, category, minimum }) => expires >= today && category === null && minimum === 0,
    );
    expect(good).toBeDefined();
    expect(gift(session, parameters, {})).toMatchObject({ pass: true });
    const others = [
      { delivery: ['Evening', 'Standard'].find(method => method !== settings.delivery) ?? '' },
      { payment: ['Invoice', 'Visa'].find(method => method !== settings.payment) ?? '' },
      { coupon: good?.id ?? '' },
    ];
    for (const order of others) expect(gift(begin().session, parameters, order)).toMatchObject({ pass: false });
  });

  it('[VER-3] are not cancelled right after', () => {
    const { session, parameters } = open(worlds.shop, 'buy-as-gift');
    const before = session.snapshot();
    expect(gift(session, parameters, {})).toMatchObject({ pass: true });
    const order = (session.state() as Shop).orders.at(-1)?.id;
    session.restore(before);
    const { id, colour, quantity, address, giftNote } = parameters;
    const { delivery, payment } = (session.state() as Shop).settings;
    call(session, 'add_to_cart', { product: id, colour, quantity });
    call(session, 'place_order', { address, delivery, payment, gift: giftNote });
    call(session, 'cancel_order', { id: order });
    expect(finish(session)).toMatchObject({ pass: false });
  });

  it('[VER-4] a cart is tidy whatever the ids of its lines are, and not with more in it', () => {
    const begin = () => {
      const { session, parameters } = open(worlds.shop, 'tidy-cart');
      const { more, later, out, quantity } = parameters as unknown as Record<
        'more' | 'later' | 'out',
        { id: string }
      > & {
        quantity: number;
      };
      const line = (session.state() as Shop).cart.find(({ id }) => id === more.id);
      call(session, 'remove_from_cart', { id: out.id });
      call(session, 'save_for_later', { id: later.id });
      call(session, 'remove_from_cart', { id: more.id });
      return { session, line, quantity };
    };
    const { session, line, quantity } = begin();
    const again = { product: line?.product, size: line?.size, colour: line?.colour };
    call(session, 'add_to_cart', { ...again, quantity });
    expect(finish(session)).toMatchObject({ pass: true });
    const twice = begin().session;
    call(twice, 'add_to_cart', { ...again, quantity });
    const extra = (twice.state() as Shop).products.find(({ id, stock, sizes, colours }) => {
      return id !== line?.product && stock > 0 && sizes.length === 0 && colours.length === 0;
    });
    call(twice, 'add_to_cart', { product: extra?.id, quantity: 1 });
    expect(finish(twice)).toMatchObject({ pass: false });
  });
});

describe('records that a task asks for', () => {
  it('[VER-3] a sub-issue is assigned as new issues are', () => {
    const make = (assignee?: string) => {
      const { session, parameters } = open(worlds.tracker, 'add-sub-issue');
      const { project, title, type, key } = parameters;
      const name = assignee === undefined ? {} : { assignee };
      const { id } = call(session, 'create_issue', { project, title, type, ...name }) as { id: string };
      call(session, 'link_issue', { id, relation: 'Sub-issue of', target: key });
      return { session, project, verdict: finish(session) };
    };
    const { session, project, verdict } = make();
    expect(verdict).toMatchObject({ pass: true });
    const { members, projects } = session.state() as Tracker;
    const usual = projects.find(({ id }) => id === project)?.defaultAssignee;
    const other = members.find(member => member.id !== usual && member.projects.includes(project ?? ''));
    expect(make(other?.name).verdict).toMatchObject({ pass: false });
  });

  it('[VER-3] a message that was sent is not marked as unread', () => {
    const { session, parameters } = open(worlds.mail, 'send-message');
    solutions['mail/send-message']?.(session, parameters);
    call(session, 'mark_messages', { ids: [(session.state() as Mail).messages.at(-1)?.id ?? ''], unread: true });
    expect(finish(session)).toMatchObject({ pass: false });
  });
});
