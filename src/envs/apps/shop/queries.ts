import { z } from 'zod';
import { need } from '../../../worlds/app/table.ts';
import { couponProblem, couponTerms, money, totalsOf } from './pricing.ts';
import {
  allCategories,
  anyStatus,
  emptyFilter,
  filterSchema,
  productOf,
  query,
  statuses,
  type Filter,
  type Order,
  type Product,
  type Shop,
} from './state.ts';

const nothing = z.object({});
const shortest = 20;

const searchProducts = query('search_products', {
  about: 'Find products by text, category, price, rating and stock; prices are in cents.',
  input: z.object({
    text: filterSchema.shape.text.default(''),
    category: filterSchema.shape.category.default(emptyFilter.category),
    price: filterSchema.shape.price.default(emptyFilter.price),
    rating: filterSchema.shape.rating.default(emptyFilter.rating),
    stocked: z.boolean().default(false).describe('only what is in stock'),
    sort: filterSchema.shape.sort.default(emptyFilter.sort),
    from: z.int().min(0).default(0).describe(`how many to skip; ${shortest} are given at a time`),
  }),
  run(shop, { from, ...filter }) {
    const found = matchingProducts(shop, filter);
    const products = found.slice(from, from + shortest).map(({ id, name, category, price, rating, stock }) => ({
      id,
      name,
      category,
      price,
      rating: rating / 10,
      stock,
    }));
    return { total: found.length, products };
  },
});

const getProduct = query('get_product', {
  about: 'Everything about one product, with its sizes and colours; the price is in cents.',
  input: z.object({ id: z.string() }),
  run(shop, { id }) {
    const product = need(shop.products, id, 'product');
    return { ...product, rating: product.rating / 10 };
  },
});

const listReviews = query('list_reviews', {
  about: 'The reviews of a product, the newest first.',
  input: z.object({ product: z.string() }),
  run: (shop, { product }) => reviewsOf(shop, product),
});

const viewCart = query('view_cart', {
  about: 'The lines of the cart, those saved for later, the coupon and the totals in cents.',
  input: nothing,
  run: shop => ({
    lines: shop.cart.map(line => ({ ...line, name: productOf(shop, line.product)?.name ?? '' })),
    coupon: shop.coupon,
    totals: { ...totalsOf(shop, shop.settings.delivery) },
  }),
});

const listCoupons = query('list_coupons', {
  about: 'Coupon codes, what they are worth, and whether they can be used on the cart now.',
  input: nothing,
  run: shop =>
    shop.coupons.map(coupon => ({ code: coupon.id, terms: couponTerms(coupon), problem: couponProblem(shop, coupon) })),
});

const listOrders = query('list_orders', {
  about: 'Past orders, the newest first, by status and by a text in the order number or a product name.',
  input: z.object({
    text: z.string().max(80).default(''),
    status: z.enum([anyStatus, ...statuses]).default(anyStatus),
  }),
  run: (shop, { text, status }) =>
    matchingOrders(shop, { text, status }).map(({ id, placed, status: now, total, lines }) => ({
      id,
      placed,
      status: now,
      total: money(total),
      products: lines.map(line => line.name),
    })),
});

const getOrder = query('get_order', {
  about: 'One order with its lines, address, delivery date and totals in cents.',
  input: z.object({ id: z.string() }),
  run: (shop, { id }) => need(shop.orders, id, 'order'),
});

const listWishes = query('list_wishes', {
  about: 'The products on the wish list; prices are in cents.',
  input: nothing,
  run: shop =>
    shop.wishes.map(({ product }) => {
      const { name, price, stock } = need(shop.products, product, 'product');
      return { product, name, price, stock };
    }),
});

const listAddresses = query('list_addresses', {
  about: 'The address book and which address is the default.',
  input: nothing,
  run: shop => ({ default: shop.defaultAddress, addresses: shop.addresses }),
});

const getSettings = query('get_settings', {
  about: 'The settings of the account.',
  input: nothing,
  run: shop => ({ ...shop.customer, ...shop.settings }),
});

export const queries = [
  searchProducts,
  getProduct,
  listReviews,
  viewCart,
  listCoupons,
  listOrders,
  getOrder,
  listWishes,
  listAddresses,
  getSettings,
];

const bands: Readonly<Record<Filter['price'], readonly [from: number, below: number]>> = {
  'Any price': [0, Number.POSITIVE_INFINITY],
  'Under €25': [0, 2500],
  '€25 to €50': [2500, 5001],
  '€50 to €100': [5000, 10_001],
  'Over €100': [10_001, Number.POSITIVE_INFINITY],
};
const floors: Readonly<Record<Filter['rating'], number>> = {
  'Any rating': 0,
  '3.5 stars and up': 35,
  '4 stars and up': 40,
  '4.5 stars and up': 45,
};
/** What a sorting goes by: the smallest comes first. */
const sortKeys: Readonly<Record<Filter['sort'], ((product: Product) => number) | null>> = {
  Featured: null,
  'Price: low to high': ({ price }) => price,
  'Price: high to low': ({ price }) => dearest - price,
  'Best rated': ({ rating }) => 50 - rating,
  Newest: ({ id }) => dearest - Number(id.slice(1)),
};
const dearest = 10_000_000;

export function matchingProducts({ products }: Shop, filter: Filter): readonly Product[] {
  const { category, stocked } = filter;
  const text = filter.text.trim().toLowerCase();
  const [from, below] = bands[filter.price];
  const floor = floors[filter.rating];
  const found: Product[] = [];
  for (const product of products) {
    if (category !== allCategories && product.category !== category) continue;
    if (product.price < from || product.price >= below || product.rating < floor) continue;
    if (stocked && product.stock === 0) continue;
    if (text !== '' && !product.name.toLowerCase().includes(text)) continue;
    found.push(product);
  }
  const key = sortKeys[filter.sort];
  return key === null ? found : sorted(found, key);
}

/** Sorts numbers that carry their index: several times faster than comparing products. */
function sorted(products: readonly Product[], key: (product: Product) => number): Product[] {
  const count = products.length;
  const keys = new Float64Array(count);
  for (const [index, product] of products.entries()) keys[index] = key(product) * count + index;
  const order: Product[] = [];
  for (const packed of keys.toSorted()) order.push(products[packed % count] as Product);
  return order;
}

/** The newest first. */
export function matchingOrders({ orders }: Shop, wanted: { text: string; status: string }): Order[] {
  const text = wanted.text.trim().toLowerCase();
  const found: Order[] = [];
  for (let index = orders.length - 1; index >= 0; index--) {
    const order = orders[index] as Order;
    if (wanted.status !== anyStatus && order.status !== wanted.status) continue;
    if (text === '' || mentions(order, text)) found.push(order);
  }
  return found;
}

function mentions({ id, lines }: Order, text: string): boolean {
  return id.toLowerCase().includes(text) || lines.some(({ name }) => name.toLowerCase().includes(text));
}

/** The newest first. */
export function reviewsOf({ reviews }: Shop, product: string): Shop['reviews'] {
  const found: Shop['reviews'] = [];
  for (let index = reviews.length - 1; index >= 0; index--) {
    const review = reviews[index];
    if (review?.product === product) found.push(review);
  }
  return found;
}
