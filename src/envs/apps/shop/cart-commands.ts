import { z } from 'zod';
import { refuse } from '../../../core/errors.ts';
import { need, nextId, remove } from '../../../worlds/app/table.ts';
import { activeLines, addDays, addressLine, couponProblem, deliveryTerms, totalsOf } from './pricing.ts';
import {
  anyStatus,
  checkoutSchema,
  command,
  emptyCheckout,
  limits,
  type CartLine,
  type OrderLine,
  type Product,
  type Shop,
} from './state.ts';

const onLine = z.object({ id: z.string().describe('id of a cart line, such as c3') });
const quantity = z.coerce
  .number('choose a quantity')
  .int('choose a whole quantity')
  .min(1, 'choose at least 1')
  .max(limits.quantity, `choose at most ${limits.quantity}`);
type Wanted = Pick<CartLine, 'product' | 'size' | 'colour' | 'quantity'>;

export const addToCart = command('add_to_cart', {
  about: 'Put a product into the cart. More of a variant that is there already raises its quantity.',
  input: z.object({
    product: z.string().describe('id of the product, such as p12'),
    size: z.string().max(20).nullable().default(null).describe('one of its sizes; null when it has none'),
    colour: z.string().max(20).nullable().default(null).describe('one of its colours; null when it has none'),
    quantity,
  }),
  run(draft, wanted) {
    const product = need(draft.products, wanted.product, 'product');
    requireVariant(product, wanted);
    putIntoCart(draft, { product, wanted });
    draft.ui.notice = `${product.name} is in the cart.`;
  },
});

export const changeQuantity = command('change_quantity', {
  about: 'Set how many of a cart line are wanted.',
  input: z.object({ id: onLine.shape.id, value: quantity.describe('the new quantity, 1 to 10') }),
  run(draft, { id, value }) {
    const line = need(draft.cart, id, 'cart line');
    requireStock(need(draft.products, line.product, 'product'), value);
    line.quantity = value;
    draft.ui.notice = 'Quantity changed.';
  },
});

export const removeFromCart = command('remove_from_cart', {
  about: 'Take a line out of the cart, or off the list of things saved for later.',
  input: onLine,
  run(draft, { id }) {
    need(draft.cart, id, 'cart line');
    remove(draft.cart, id);
    draft.ui.notice = 'Removed.';
  },
});

export const saveForLater = command('save_for_later', {
  about: 'Set a cart line aside without buying it now.',
  input: onLine,
  run(draft, { id }) {
    const line = need(draft.cart, id, 'cart line');
    if (line.saved) refuse('It is saved for later already.');
    if (draft.cart.length - activeLines(draft).length >= limits.savedLines) refuse('The list of saved things is full.');
    line.saved = true;
    draft.ui.notice = 'Saved for later.';
  },
});

export const moveToCart = command('move_to_cart', {
  about: 'Put something saved for later back into the cart.',
  input: onLine,
  run(draft, { id }) {
    const line = need(draft.cart, id, 'cart line');
    if (!line.saved) refuse('It is in the cart already.');
    const product = need(draft.products, line.product, 'product');
    const same = sameVariant(draft, line);
    if (same === undefined) {
      requireStock(product, line.quantity);
      requireRoom(draft);
      line.saved = false;
    } else {
      requireStock(product, same.quantity + line.quantity);
      same.quantity += line.quantity;
      remove(draft.cart, id);
    }
    draft.ui.notice = 'Moved to the cart.';
  },
});

export const applyCoupon = command('apply_coupon', {
  about: 'Use a coupon code on the cart; it replaces one that is used already.',
  input: z.object({ code: z.string().trim().min(1, 'enter a coupon code').max(40) }),
  run(draft, { code }) {
    const known = code.toUpperCase();
    const coupon = draft.coupons.find(({ id }) => id === known) ?? refuse(`There is no coupon ${known}.`);
    if (activeLines(draft).length === 0) refuse('The cart is empty.');
    const problem = couponProblem(draft, coupon);
    if (problem !== null) refuse(problem);
    draft.coupon = coupon.id;
    draft.ui.coupon = '';
    draft.ui.notice = `Coupon ${coupon.id} is used.`;
  },
});

export const removeCoupon = command('remove_coupon', {
  about: 'Take the coupon off the cart.',
  input: z.object({}),
  run(draft) {
    if (draft.coupon === null) refuse('No coupon is used.');
    draft.coupon = null;
    draft.ui.notice = 'Coupon removed.';
  },
});

export const placeOrder = command('place_order', {
  about: 'Buy what is in the cart (not what is saved for later).',
  input: checkoutSchema.extend({
    address: z.string().describe('id of an address of the address book, such as a2'),
    gift: z.string().trim().max(200, 'write a gift note of at most 200 characters').default(''),
  }),
  run(draft, { address, delivery, payment, gift }) {
    const target = need(draft.addresses, address, 'address');
    const lines = orderLines(draft);
    const coupon = draft.coupons.find(({ id }) => id === draft.coupon);
    const problem = coupon === undefined ? null : couponProblem(draft, coupon);
    if (problem !== null) refuse(`${problem} Remove it first.`);
    const { discount, fee, total } = totalsOf(draft, delivery);
    const id = nextId(draft.orders, 'SO-');
    draft.orders.push({
      id,
      placed: draft.today,
      status: 'Processing',
      lines,
      address: addressLine(target),
      delivery,
      payment,
      gift,
      coupon: draft.coupon,
      discount,
      fee,
      total,
      due: addDays(draft.today, deliveryTerms[delivery].days),
      returnBy: null,
    });
    draft.cart = draft.cart.filter(line => line.saved);
    draft.coupon = null;
    Object.assign(draft.ui, {
      screen: 'order',
      order: id,
      orderText: '',
      orderStatus: anyStatus,
      page: 1,
      menu: false,
    });
    draft.ui.checkout = emptyCheckout;
    draft.ui.notice = `Thank you. Your order has the number ${id}.`;
    return { id, total };
  },
});

export const reorder = command('reorder', {
  about: 'Put everything of a past order into the cart again, as far as it is in stock.',
  input: z.object({ id: z.string().describe('number of the order, such as SO-20418') }),
  run(draft, { id }) {
    let count = 0;
    for (const line of need(draft.orders, id, 'order').lines) {
      const product = need(draft.products, line.product, 'product');
      if (product.stock < line.quantity) continue;
      const { size, colour } = line;
      putIntoCart(draft, { product, wanted: { product: product.id, size, colour, quantity: line.quantity } });
      count++;
    }
    if (count === 0) refuse('Nothing of this order is in stock.');
    draft.ui.menu = false;
    draft.ui.notice = count === 1 ? '1 product is in the cart again.' : `${count} products are in the cart again.`;
  },
});

export const cartCommands = [
  addToCart,
  changeQuantity,
  removeFromCart,
  saveForLater,
  moveToCart,
  applyCoupon,
  removeCoupon,
  placeOrder,
  reorder,
];

function putIntoCart(draft: Shop, { product, wanted }: { product: Product; wanted: Wanted }): void {
  const same = sameVariant(draft, wanted);
  const total = (same?.quantity ?? 0) + wanted.quantity;
  requireStock(product, total);
  if (same !== undefined) {
    same.quantity = total;
    return;
  }
  requireRoom(draft);
  draft.cart.push({ id: nextId(draft.cart, 'c'), ...wanted, saved: false });
}

function sameVariant(draft: Shop, { product, size, colour }: Wanted): CartLine | undefined {
  return draft.cart.find(
    line => !line.saved && line.product === product && line.size === size && line.colour === colour,
  );
}

function requireRoom(draft: Shop): void {
  if (activeLines(draft).length < limits.cartLines) return;
  refuse(`The cart is full: it holds ${limits.cartLines} different items.`);
}

function requireVariant({ sizes, colours }: Product, { size, colour }: Wanted): void {
  if (size === null ? sizes.length > 0 : !sizes.includes(size)) {
    refuse(sizes.length === 0 ? 'It comes in one size only.' : `Choose a size: ${sizes.join(', ')}.`);
  }
  if (colour === null ? colours.length > 0 : !colours.includes(colour)) {
    refuse(colours.length === 0 ? 'It comes in one colour only.' : `Choose a colour: ${colours.join(', ')}.`);
  }
}

function requireStock({ name, stock }: Pick<Product, 'name' | 'stock'>, wanted: number): void {
  if (stock === 0) refuse(`${name} is out of stock.`);
  if (wanted > stock) refuse(`Only ${stock} of ${name} left in stock.`);
  if (wanted > limits.quantity) refuse(`At most ${limits.quantity} of one item can be ordered.`);
}

function orderLines(draft: Shop): OrderLine[] {
  const lines = activeLines(draft).map(({ product, size, colour, quantity: count }, index) => {
    const { name, price, stock } = need(draft.products, product, 'product');
    requireStock({ name, stock }, count);
    return { id: `l${index + 1}`, product, size, colour, quantity: count, name, price, returned: null };
  });
  return lines.length > 0 ? lines : refuse('The cart is empty.');
}
