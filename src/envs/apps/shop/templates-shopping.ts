import { added, find, need } from '../../../worlds/app/table.ts';
import type { Check } from '../../../worlds/app/template.ts';
import { activeLines, addressLine, checkoutOf, couponProblem, money } from './pricing.ts';
import { matchingProducts } from './queries.ts';
import {
  deliveries,
  emptyFilter,
  limits,
  payments,
  priceBands,
  productOf,
  ratingFloors,
  template,
  type CartLine,
  type Coupon,
  type Order,
  type Product,
  type Shop,
} from './state.ts';
import { listedProducts } from './view-catalogue.ts';
import { giftNotes } from './words.ts';

const plenty = 24;
/** Products on the first page, which is on the screen at the start. */
export const perPage = 8;

const isInCart = ({ cart }: Shop, { id }: Product): boolean => cart.some(({ product }) => product === id);
const isPlain = ({ sizes, colours }: Product): boolean => sizes.length === 0 && colours.length === 0;

/** The one line that came into the cart; undefined when there is none or another one. */
function newLine(final: Shop, initial: Shop): CartLine | undefined {
  const [line, ...more] = added(initial.cart, final.cart);
  return more.length === 0 ? line : undefined;
}

function newOrder(final: Shop, initial: Shop): Order | undefined {
  const [order, ...more] = added(initial.orders, final.orders);
  return more.length === 0 ? order : undefined;
}

type Piece = Pick<CartLine, 'product' | 'size' | 'colour' | 'quantity'>;
type Purchase = Pick<Order, 'address' | 'delivery' | 'payment' | 'gift' | 'coupon'> & { lines: readonly Piece[] };

/** The order that was placed or, until then, the one that the cart and the checkout form would make. */
function purchase(final: Shop, initial: Shop): Purchase {
  const { address, ...chosen } = checkoutOf(final);
  const target = find(final.addresses, address);
  return (
    newOrder(final, initial) ?? {
      ...chosen,
      address: target === undefined ? '' : addressLine(target),
      coupon: final.coupon,
      lines: activeLines(final),
    }
  );
}

export function bought(name: string, wanted: (made: Purchase, initial: Shop) => boolean): Check<Shop> {
  return { name, test: (final, initial) => wanted(purchase(final, initial), initial) };
}

function sentTo(address: string, label: string): Check<Shop> {
  return bought(`the order goes to ${label}`, (made, initial) => {
    const target = find(initial.addresses, address);
    return target !== undefined && made.address === addressLine(target);
  });
}

/** These facts hold for an order that is placed: exactly one, and nothing is left in the cart. */
export function placed(facts: readonly Check<Shop>[]): readonly Check<Shop>[] {
  const once: Check<Shop> = {
    name: 'exactly one order is placed, with all of that, and the cart is empty',
    test(final, initial) {
      if (newOrder(final, initial)?.status !== 'Processing' || activeLines(final).length > 0) return false;
      if (added(initial.cart, final.cart).length > 0) return false;
      return facts.every(fact => fact.test(final, initial));
    },
  };
  return [...facts, once];
}

/** Whether two lists hold the same products, variants and quantities. */
export function holds(found: readonly Piece[], wanted: readonly Piece[]): boolean {
  const keys = new Set(found.map(pieceKey));
  return found.length === wanted.length && wanted.every(piece => keys.has(pieceKey(piece)));
}

function pieceKey({ product, size, colour, quantity }: Piece): string {
  return `${product} ${size} ${colour} ${quantity}`;
}

/** What is in a cart and what is saved for later, in any order. */
export function cartContents(cart: readonly CartLine[]): string {
  const keys = cart.map(line => `${pieceKey(line)} ${line.saved}`);
  return keys.toSorted().join('\n');
}

/** Without anything that nobody asked for: the delivery and payment of the account, and no coupon. */
const asUsual = bought('delivery and payment are the usual ones, without a coupon', (made, { settings }) => {
  return made.delivery === settings.delivery && made.payment === settings.payment && made.coupon === null;
});

/** Whether the screen shows a product with its price and stock. */
export function isOnScreen(shop: Shop, id: string): boolean {
  if (shop.ui.screen === 'product') return shop.ui.product === id;
  return shop.ui.screen === 'catalogue' && listedProducts(shop).items.some(product => product.id === id);
}

const priceOfProduct = template('price-of-product', {
  about: 'Tell what a product costs.',
  split: 'train',
  steps: 12,
  sample(shop, random) {
    const { id, name } = random.pick(shop.products.slice(perPage));
    return { id, product: name };
  },
  instruction: ({ product }, random) =>
    random.pick([
      `How much does the ${product} cost? Answer with the price.`,
      `I am thinking of buying the ${product}. What is its price? Answer with the price only.`,
      `Look up the ${product} and answer with its price.`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ id }, initial) => money(productOf(initial, id)?.price ?? 0),
  shown: (shop, { id }) => isOnScreen(shop, id),
});

const countProducts = template('count-products', {
  about: 'Count the products in stock in a price band with a rating.',
  split: 'train',
  steps: 15,
  sample(shop, random) {
    const price = random.pick(priceBands.slice(1));
    const rating = random.pick(ratingFloors.slice(1));
    const found = matchingProducts(shop, { ...emptyFilter, price, rating, stocked: true });
    return found.length < 2 ? null : { price, rating };
  },
  instruction: ({ price, rating }, random) =>
    random.pick([
      `How many products of the whole shop are in stock, cost "${price}" and have "${rating}"? Answer with a number.`,
      `Count the products in stock with the price "${price}" and a rating of "${rating}", in all categories, and answer with their number.`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: (filter, initial) => String(matchingProducts(initial, { ...emptyFilter, ...filter, stocked: true }).length),
  shown({ ui: { screen, filter } }, { price, rating }) {
    const whole = filter.text === '' && filter.category === emptyFilter.category;
    return screen === 'catalogue' && whole && filter.stocked && filter.price === price && filter.rating === rating;
  },
});

const addVariant = template('add-variant-to-cart', {
  about: 'Put some of a product into the cart, in a size and a colour.',
  split: 'train',
  sample(shop, random) {
    const varied = shop.products.filter(
      product => product.sizes.length > 0 && product.colours.length > 0 && !isInCart(shop, product),
    );
    if (varied.length === 0) return null;
    const { id, name, sizes, colours } = random.pick(varied);
    const [size, colour] = [random.pick(sizes), random.pick(colours)];
    return { id, product: name, size, colour, quantity: random.between(2, 6) };
  },
  setup(draft, { id }) {
    need(draft.products, id, 'product').stock = plenty;
  },
  instruction: ({ product, size, colour, quantity }, random) =>
    random.pick([
      `Put ${quantity} of the ${product} into my cart, in size ${size} and the colour ${colour}.`,
      `I need ${quantity} pieces of the ${product} (size ${size}, ${colour}). Add them to the cart, but do not order yet.`,
    ]),
  checks: ({ id, product, size, colour, quantity }) => [
    { name: `the ${product} is in the cart`, test: (final, initial) => newLine(final, initial)?.product === id },
    { name: `its size is ${size}`, test: (final, initial) => newLine(final, initial)?.size === size },
    { name: `its colour is ${colour}`, test: (final, initial) => newLine(final, initial)?.colour === colour },
    { name: `there are ${quantity}`, test: (final, initial) => newLine(final, initial)?.quantity === quantity },
    { name: 'it is not saved for later', test: (final, initial) => newLine(final, initial)?.saved === false },
  ],
  allow: () => ['/cart/+'],
});

const tidyCart = template('tidy-cart', {
  about: 'Change a quantity, save one line for later and remove another.',
  split: 'train',
  sample(shop, random) {
    const [more, later, out] = random.sample(activeLines(shop), 3) as [CartLine, CartLine, CartLine];
    const nameOf = ({ product }: CartLine): string => productOf(shop, product)?.name ?? '';
    const quantity = random.pick([2, 3, 4, 5, 6, 7].filter(count => count !== more.quantity));
    return {
      more: { id: more.id, name: nameOf(more) },
      later: { id: later.id, name: nameOf(later) },
      out: { id: out.id, name: nameOf(out) },
      quantity,
    };
  },
  instruction: ({ more, later, out, quantity }, random) =>
    random.pick([
      `Tidy up my cart: I want ${quantity} of the ${more.name}, the ${later.name} should be saved for later, and the ${out.name} can go.`,
      `In the cart, remove the ${out.name}, save the ${later.name} for later and set the quantity of the ${more.name} to ${quantity}.`,
    ]),
  checks: ({ more, later, out, quantity }) => [
    {
      id: 'quantity',
      name: `${quantity} of the ${more.name}`,
      test: (final, { cart }) => linesLike(final, find(cart, more.id)).some(line => line.quantity === quantity),
    },
    {
      name: `the ${later.name} is saved for later`,
      test(final, { cart }) {
        const line = find(cart, later.id);
        return final.cart.some(({ saved, product }) => saved && product === line?.product) && !isActive(final, line);
      },
    },
    {
      name: `the ${out.name} is out of the cart`,
      test: (final, { cart }) => !isActive(final, find(cart, out.id)),
    },
    {
      name: 'everything else is as it was',
      test(final, { cart }) {
        const wanted = cart.flatMap(line => {
          if (line.id === out.id) return [];
          const [count, saved] = [line.id === more.id ? quantity : line.quantity, line.saved || line.id === later.id];
          return [{ ...line, quantity: count, saved }];
        });
        return cartContents(final.cart) === cartContents(wanted);
      },
    },
  ],
  // A line may be removed and put in again, so the cart is compared by what it holds.
  allow: ({ more, later, out }) => ['/cart/+', ...[more, later, out].map(({ id }) => `/cart/${id}`)],
});

/** The lines of the cart with the same product, size and colour, quantity aside. */
function linesLike(shop: Shop, wanted: CartLine | undefined): CartLine[] {
  return activeLines(shop).filter(
    ({ product, size, colour }) => product === wanted?.product && size === wanted.size && colour === wanted.colour,
  );
}

function isActive(shop: Shop, wanted: CartLine | undefined): boolean {
  return linesLike(shop, wanted).length > 0;
}

const checkOutCart = template('check-out-cart', {
  about: 'Order what is in the cart, with a coupon, an address, a delivery and a payment.',
  split: 'train',
  sample(shop, random) {
    const good = shop.coupons.filter(coupon => coupon.expires >= shop.today && isForAnything(coupon));
    const { id: address, label } = random.pick(shop.addresses.filter(({ id }) => id !== shop.defaultAddress));
    return {
      coupon: random.pick(good).id,
      address,
      label,
      delivery: random.pick(deliveries.filter(method => method !== shop.settings.delivery)),
      payment: random.pick(payments.filter(method => method !== shop.settings.payment)),
      lines: activeLines(shop).map(({ id }) => id),
    };
  },
  instruction: ({ coupon, label, delivery, payment }, random) =>
    random.pick([
      `Order everything in my cart with the coupon ${coupon}. Send it to my address "${label}" by ${delivery} delivery and pay by ${payment}.`,
      `Check out my cart: use coupon ${coupon}, deliver to "${label}", delivery method ${delivery}, payment ${payment}.`,
    ]),
  checks: ({ coupon, address, label, delivery, payment, lines }) =>
    placed([
      sentTo(address, label),
      bought(`the coupon is ${coupon}`, made => made.coupon === coupon),
      bought(`delivery is ${delivery}`, made => made.delivery === delivery),
      bought(`payment is by ${payment}`, made => made.payment === payment),
      bought('the order holds what was in the cart, without a gift note', (made, { cart }) => {
        const wanted = cart.filter(({ id }) => lines.includes(id));
        return made.gift === '' && holds(made.lines, wanted);
      }),
    ]),
  allow: ({ lines }) => ['/orders/+', '/coupon', ...lines.map(id => `/cart/${id}`)],
});

const isForAnything = ({ category, minimum }: Coupon): boolean => category === null && minimum === 0;

const expiredCoupon = template('use-expired-coupon', {
  about: 'Use a coupon that in half of the tasks has expired.',
  split: 'train',
  kind: 'infeasible',
  steps: 12,
  sample(shop, random) {
    const valid = random.chance(0.5);
    const fitting = shop.coupons.filter(coupon => coupon.expires >= shop.today === valid && coupon.id !== shop.coupon);
    const usable = valid ? fitting.filter(isForAnything) : fitting;
    return usable.length === 0 ? null : { coupon: random.pick(usable).id, valid };
  },
  isTwin: ({ valid }) => valid === true,
  instruction: ({ coupon }, random) =>
    random.pick([
      `Use the coupon ${coupon} on my cart.`,
      `I have a coupon code, ${coupon}. Apply it to what is in the cart, but do not order yet.`,
    ]),
  checks: ({ coupon }) => [{ name: `the coupon ${coupon} is used`, test: final => final.coupon === coupon }],
  allow: () => ['/coupon'],
  shown(shop, { coupon: id }) {
    const coupon = find(shop.coupons, id);
    return shop.ui.screen === 'offers' || (coupon !== undefined && shop.ui.notice === couponProblem(shop, coupon));
  },
});

const buyAsGift = template('buy-as-gift', {
  about: 'Find a product and order it for somebody, in a colour and with a gift note.',
  split: 'test',
  sample(shop, random) {
    const coloured = shop.products.filter(({ sizes, colours }) => sizes.length === 0 && colours.length > 0);
    if (coloured.length === 0) return null;
    const { id, name, colours } = random.pick(coloured);
    const { id: address, label } = random.pick(shop.addresses.filter(other => other.id !== shop.defaultAddress));
    const [colour, gift] = [random.pick(colours), random.pick(giftNotes)];
    return { id, product: name, colour, quantity: random.between(2, 4), address, label, giftNote: gift };
  },
  setup(draft, { id }) {
    need(draft.products, id, 'product').stock = plenty;
    draft.cart = draft.cart.filter(line => line.saved && line.product !== id);
  },
  instruction: ({ product, colour, quantity, label, giftNote }, random) =>
    random.pick([
      `Buy ${quantity} of the ${product} in ${colour} as a gift. Send them to my address "${label}" with the gift note "${giftNote}".`,
      `Order a present: ${quantity} times the ${product}, colour ${colour}, to be delivered to "${label}". The gift note says "${giftNote}".`,
    ]),
  checks: ({ id, product, colour, quantity, address, label, giftNote }) =>
    placed([
      sentTo(address, label),
      bought(`it is for the ${product} only`, ({ lines }) => lines.length === 1 && lines[0]?.product === id),
      bought(`its colour is ${colour}`, ({ lines }) => lines.every(line => line.colour === colour)),
      bought(`there are ${quantity}`, ({ lines }) => lines.every(line => line.quantity === quantity)),
      bought('the gift note is on it', made => made.gift === giftNote),
      asUsual,
    ]),
  allow: () => ['/orders/+', '/cart/+'],
});

const wishToCart = template('wish-to-cart', {
  about: 'Put one wish into the cart in some quantity and take another off the list.',
  split: 'test',
  sample(shop, random) {
    const wished = shop.wishes.flatMap(wish => ({ ...need(shop.products, wish.product, 'product'), wish: wish.id }));
    const simple = wished.filter(
      product => isPlain(product) && product.stock >= limits.quantity && !isInCart(shop, product),
    );
    if (simple.length === 0) return null;
    const buy = random.pick(simple);
    const drop = random.pick(wished.filter(({ id }) => id !== buy.id));
    return {
      buy: { id: buy.id, name: buy.name },
      drop: { id: drop.wish, name: drop.name },
      quantity: random.between(2, 7),
    };
  },
  instruction: ({ buy, drop, quantity }, random) =>
    random.pick([
      `On my wish list there is the ${buy.name}: put ${quantity} of it into the cart, but leave it on the list. Take the ${drop.name} off the wish list.`,
      `Remove the ${drop.name} from my wish list, and have ${quantity} of the ${buy.name} in the cart. The ${buy.name} stays on the list.`,
    ]),
  checks: ({ buy, drop, quantity }) => [
    { name: `the ${drop.name} is off the list`, test: ({ wishes }) => find(wishes, drop.id) === undefined },
    { name: `the ${buy.name} is in the cart`, test: (final, initial) => newLine(final, initial)?.product === buy.id },
    { name: `there are ${quantity}`, test: (final, initial) => newLine(final, initial)?.quantity === quantity },
    { name: 'it is not saved for later', test: (final, initial) => newLine(final, initial)?.saved === false },
  ],
  allow: ({ drop }) => [`/wishes/${drop.id}`, '/cart/+'],
});

export const shoppingTemplates = [
  priceOfProduct,
  countProducts,
  addVariant,
  tidyCart,
  checkOutCart,
  expiredCoupon,
  buyAsGift,
  wishToCart,
];
