import { create } from 'mutative';
import { describe, expect, it } from 'vitest';
import type { Action } from '../../../core/action.ts';
import type { StateSession } from '../../../core/contracts.ts';
import { diff } from '../../../core/diff.ts';
import { sealTask } from '../../../core/records.ts';
import type { JsonObject } from '../../../core/json.ts';
import { createRandom } from '../../../core/random.ts';
import { createWorld } from '../../../worlds/world.ts';
import { totalsOf } from './pricing.ts';
import { shop } from './shop.ts';
import type { Product, Shop } from './state.ts';

const world = createWorld(shop);
const task = world.task('price-of-product', 1);
const seeded = shop.init(createRandom(task.world).fork('data'));

/** A session on the seeded shop, changed as a test needs it. */
function openShop(change: (draft: Shop) => void = () => {}): StateSession {
  return world.open(sealTask({ ...task, patch: diff(seeded, create(seeded, change)) }));
}

const stateOf = (session: StateSession): Shop => session.state() as Shop;
const data = ({ ui: _ui, ...rest }: Shop): JsonObject => rest;

/** Acts on the element with this name, in the part of the screen with that name. */
function act(session: StateSession, name: string, { entry, within }: { entry?: string; within?: string } = {}): void {
  const found = session
    .candidates()
    .find(known => known.name === name && (within === undefined || known.within?.includes(within)));
  if (found === undefined || !('ref' in found.action)) {
    throw new Error(`no "${name}" on\n${session.observe().text}`);
  }
  const { kind, ref } = found.action;
  const action: Action =
    kind === 'click'
      ? { kind, ref }
      : kind === 'fill'
        ? { kind, ref, text: entry ?? '' }
        : { kind, ref, option: entry ?? '' };
  expect(session.step(action).applied).toBe(true);
}

function call(session: StateSession, tool: string, input: JsonObject): string | null {
  return session.step({ kind: 'call', tool, input }).problem?.message ?? null;
}

/** A product made to measure in the first place of the catalogue. */
function sell(draft: Shop, product: Partial<Product>): void {
  Object.assign(draft.products[0] as Product, { sizes: [], colours: [], stock: 20, ...product });
}

const line = { id: 'c1', product: 'p1', size: null, colour: null, quantity: 1, saved: false };
const coupon = { id: 'TEST', percent: 0, amount: 0, minimum: 0, category: null, expires: '2026-12-31' };

describe('by hand and by tool', () => {
  it('puts the chosen variant into the cart', () => {
    const session = openShop(draft => sell(draft, { sizes: ['S', 'M'], colours: ['Navy', 'Olive'] }));
    const { name } = stateOf(session).products[0] as Product;
    act(session, 'Search products', { entry: name });
    act(session, name);
    act(session, 'Add to cart');
    expect(session.observe().text).toContain('alert "Choose a size: S, M."');
    act(session, 'Size', { entry: 'M' });
    act(session, 'Colour', { entry: 'Olive' });
    act(session, 'Quantity', { entry: '3' });
    const twin = session.fork();
    act(session, 'Add to cart');
    expect(call(twin, 'add_to_cart', { product: 'p1', size: 'M', colour: 'Olive', quantity: 3 })).toBeNull();
    expect(twin.digest()).toBe(session.digest());
    expect(stateOf(session).cart.at(-1)).toMatchObject({ product: 'p1', size: 'M', colour: 'Olive', quantity: 3 });
  });

  it('places the same order', () => {
    const session = openShop(draft => {
      sell(draft, { price: 1000 });
      draft.cart = [line, { ...line, id: 'c2', product: 'p2', saved: true }];
    });
    const twin = session.fork();
    act(session, 'Cart');
    act(session, 'Check out');
    const work = session.candidates().find(({ name }) => name?.startsWith('Work:'));
    act(session, work?.name ?? '');
    act(session, 'Pick-up point: 3 days, €2.90, free from €25.00');
    act(session, 'PayPal');
    act(session, 'Gift note', { entry: 'For you' });
    act(session, 'Place order');
    const input = { address: 'a2', delivery: 'Pick-up point', payment: 'PayPal', gift: 'For you' };
    expect(call(twin, 'place_order', input)).toBeNull();
    expect(data(stateOf(twin))).toEqual(data(stateOf(session)));
    const { orders, cart } = stateOf(session);
    expect(orders.at(-1)).toMatchObject({
      ...input,
      address: expect.any(String),
      fee: 290,
      total: 1290,
      due: '2026-03-17',
    });
    expect(cart.map(({ id }) => id)).toEqual(['c2']);
    expect(session.observe().text).toContain('Total: €12.90, paid by PayPal');
  });

  it('saves a new address, and says what is missing', () => {
    const session = openShop();
    act(session, 'Address book');
    act(session, 'Add address');
    act(session, 'Save address');
    expect(session.observe().text).toContain('enter a city');
    const fields = { label: 'Club', name: 'Ada', street: '1 Elm Row', postcode: 'AB1 2CD', city: 'Hull' };
    const names = {
      label: 'Label',
      name: 'Recipient',
      street: 'Street and number',
      postcode: 'Postcode',
      city: 'City',
    };
    for (const [field, name] of Object.entries(names))
      act(session, name, { entry: fields[field as keyof typeof fields] });
    const twin = session.fork();
    act(session, 'Save address');
    call(twin, 'add_address', fields);
    expect(twin.digest()).toBe(session.digest());
    expect(stateOf(session).addresses.at(-1)).toEqual({ id: 'a5', ...fields });
  });

  it('cancels an order after a question that can be declined', () => {
    const session = openShop();
    const { id } = stateOf(session).orders.at(-1) as Shop['orders'][number];
    act(session, 'Orders');
    act(session, `Order ${id}`);
    const before = data(stateOf(session));
    act(session, 'Order actions');
    act(session, 'Cancel order');
    act(session, 'Keep it');
    expect(data(stateOf(session))).toEqual(before);
    act(session, 'Order actions');
    act(session, 'Cancel order');
    const twin = session.fork();
    act(session, 'Yes, cancel it');
    call(twin, 'cancel_order', { id });
    expect(twin.digest()).toBe(session.digest());
    expect(stateOf(session).orders.at(-1)?.status).toBe('Cancelled');
    expect(session.observe().text).not.toContain('dialog');
  });
});

describe('what the shop refuses', () => {
  it.each<[string, JsonObject, RegExp]>([
    ['add_to_cart', { product: 'p1', quantity: 1 }, /out of stock/],
    ['add_to_cart', { product: 'p2', quantity: 3 }, /Only 2 of .* left/],
    ['add_to_cart', { product: 'p2', size: 'XXL', quantity: 1 }, /one size only/],
    ['add_to_cart', { product: 'p2', quantity: 0 }, /at least 1/],
    ['change_quantity', { id: 'c1', value: 9 }, /Only 2 of/],
    ['apply_coupon', { code: 'gone' }, /no coupon GONE/],
    ['apply_coupon', { code: 'old' }, /OLD expired on 2026-03-13/],
    ['apply_coupon', { code: 'big' }, /BIG needs €100\.00 in the cart/],
    ['apply_coupon', { code: 'toys' }, /TOYS is only for Toys/],
    ['cancel_order', { id: 'SO-1' }, /is delivered: it cannot be cancelled/],
    ['return_item', { order: 'SO-1', line: 'l1', reason: 'Damaged' }, /ended on 2026-03-13/],
    ['return_item', { order: 'SO-1', line: 'l1', reason: 'Bored' }, /choose a reason/],
    ['delete_address', { id: 'a1' }, /Make another address the default/],
    ['delete_review', { id: 'r1' }, /Only your own/],
    ['change_setting', { setting: 'newsletter', value: 'Hourly' }, /Never, Weekly, Monthly/],
  ])('%s %j', (tool, input, reason) => {
    const session = openShop(draft => {
      sell(draft, { stock: 0 });
      Object.assign(draft.products[1] as Product, { stock: 2, price: 1000, category: 'Books', sizes: [], colours: [] });
      draft.cart = [{ ...line, product: 'p2' }];
      draft.coupons = [
        { ...coupon, id: 'OLD', expires: '2026-03-13' },
        { ...coupon, id: 'BIG', minimum: 10_000 },
        { ...coupon, id: 'TOYS', category: 'Toys' },
      ];
      Object.assign(draft.orders[0] as object, { id: 'SO-1', status: 'Delivered', returnBy: '2026-03-13' });
    });
    const before = session.digest();
    expect(call(session, tool, input)).toMatch(reason);
    expect(session.digest()).toBe(before);
  });

  it('a second review of a product, until the first is deleted', () => {
    const session = openShop();
    const review = { product: 'p3', stars: 4, title: 'Good', body: 'Would buy again.' };
    expect(call(session, 'write_review', review)).toBeNull();
    expect(call(session, 'write_review', review)).toMatch(/delete that review first/);
    expect(session.observe().text).toContain('4 stars: Good');
    act(session, 'Delete my review');
    expect(call(session, 'write_review', review)).toBeNull();
  });

  it('an order with a coupon that no longer fits the cart', () => {
    const session = openShop(draft => {
      sell(draft, { price: 3000 });
      draft.cart = [{ ...line, quantity: 2 }];
      draft.coupons = [{ ...coupon, percent: 10, minimum: 5000 }];
    });
    const order = { address: 'a1', delivery: 'Express', payment: 'Visa' };
    expect(call(session, 'apply_coupon', { code: 'test' })).toBeNull();
    expect(call(session, 'change_quantity', { id: 'c1', value: 1 })).toBeNull();
    expect(call(session, 'place_order', order)).toMatch(/TEST needs €50\.00/);
    expect(call(session, 'remove_coupon', {})).toBeNull();
    expect(call(session, 'place_order', order)).toBeNull();
  });
});

/** 2 at €20.00 from the kitchen, one toy at €15.50, and something saved for later. */
const cartOf = (change: (draft: Shop) => void): Shop =>
  create(seeded, draft => {
    sell(draft, { price: 2000, category: 'Kitchen' });
    Object.assign(draft.products[1] as Product, { price: 1550, category: 'Toys' });
    draft.cart = [
      { ...line, quantity: 2 },
      { ...line, id: 'c2', product: 'p2' },
      { ...line, id: 'c3', saved: true },
    ];
    draft.coupon = 'TEST';
    change(draft);
  });

describe('prices', () => {
  it('are discounted for the category of the coupon only, rounded down to the cent', () => {
    const shopping = cartOf(draft => {
      draft.coupons = [{ ...coupon, percent: 15, category: 'Toys' }];
    });
    // 15 % of 15.50 is 2.325; 55.50 less 2.32 is above the 50.00 from which standard delivery is free.
    expect(totalsOf(shopping, 'Standard')).toEqual({ subtotal: 5550, discount: 232, fee: 0, total: 5318 });
  });

  it('carry a delivery fee once the discount takes them below the limit', () => {
    const shopping = cartOf(draft => {
      draft.coupons = [{ ...coupon, amount: 600 }];
    });
    expect(totalsOf(shopping, 'Standard')).toEqual({ subtotal: 5550, discount: 600, fee: 490, total: 5440 });
  });
});

describe('the cart', () => {
  it('raises the quantity when the same variant comes again, however it comes', () => {
    const session = openShop(draft => {
      sell(draft, {});
      draft.cart = [line, { ...line, id: 'c2', quantity: 4, saved: true }];
    });
    call(session, 'add_to_cart', { product: 'p1', quantity: 2 });
    expect(stateOf(session).cart).toEqual([
      { ...line, quantity: 3 },
      { ...line, id: 'c2', quantity: 4, saved: true },
    ]);
    act(session, 'Cart');
    act(session, 'Move to cart');
    expect(stateOf(session).cart).toEqual([{ ...line, quantity: 7 }]);
    expect(call(session, 'add_to_cart', { product: 'p1', quantity: 4 })).toMatch(/At most 10/);
  });

  it('takes from a past order what is in stock', () => {
    const session = openShop(draft => {
      sell(draft, {});
      (draft.products[1] as Product).stock = 0;
      draft.cart = [];
      const sold = { size: null, colour: null, quantity: 2, name: 'x', price: 1, returned: null };
      const lines = [
        { ...sold, id: 'l1', product: 'p1' },
        { ...sold, id: 'l2', product: 'p2' },
      ];
      Object.assign(draft.orders[0] as object, { id: 'SO-1', lines });
    });
    expect(call(session, 'reorder', { id: 'SO-1' })).toBeNull();
    expect(stateOf(session).cart).toEqual([{ ...line, quantity: 2 }]);
  });
});

/** The name of the main part of the screen. */
function shown(ui: Partial<Shop['ui']>): string {
  const session = openShop(draft => void Object.assign(draft.ui, ui));
  return /^ {2}(?:region|dialog) "(.*)"$/m.exec(session.observe().text)?.[1] ?? '';
}

describe('the screen', () => {
  it('narrows and sorts the catalogue', () => {
    const session = openShop();
    act(session, 'Category', { entry: 'Garden' });
    act(session, 'In stock only');
    act(session, 'Sort by', { entry: 'Price: high to low' });
    const garden = seeded.products.filter(({ category, stock }) => category === 'Garden' && stock > 0);
    const dearest = garden.toSorted((left, right) => right.price - left.price)[0] as Product;
    expect(session.observe().text).toContain(`list "${garden.length} products"`);
    expect(
      session.candidates().find(({ role, within }) => role === 'link' && within?.includes('Catalogue'))?.name,
    ).toBe(dearest.name);
    act(session, 'Clear filters');
    expect(session.observe().text).toContain('list "72 products"');
  });

  it('falls back to a list when what is open does not exist', () => {
    expect(shown({ screen: 'product', product: 'p999' })).toBe('Catalogue');
    expect(shown({ screen: 'order', order: 'SO-0' })).toBe('Orders');
    expect(shown({ screen: 'addresses', dialog: { kind: 'delete', id: 'a2' } })).toBe('Delete the address Work?');
    expect(shown({ screen: 'addresses', dialog: { kind: 'delete', id: 'a9' } })).toBe('Address book');
    expect(shown({ screen: 'orders', dialog: { kind: 'cancel', id: 'SO-0' } })).toBe('Orders');
    expect(shown({ screen: 'orders', dialog: { kind: 'return', id: 'l1' } })).toBe('Orders');
  });
});
