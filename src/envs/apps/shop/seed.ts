import type { Random } from '../../../core/random.ts';
import { addDays, addressLine, deliveryTerms } from './pricing.ts';
import {
  anyStatus,
  categories,
  deliveries,
  emptyCheckout,
  emptyFilter,
  payments,
  settings,
  type Address,
  type CartLine,
  type Coupon,
  type Order,
  type OrderLine,
  type Product,
  type Shop,
} from './state.ts';
import {
  articles,
  authors,
  customers,
  giftNotes,
  labels,
  opinions,
  recipients,
  streets,
  towns,
  variants,
} from './words.ts';

const today = '2026-03-14';
const productsPerCategory = 9;
const reviewCount = 70;

export function seedShop(random: Random): Shop {
  const products = seedProducts(random.fork('products'));
  const name = random.pick(customers);
  const addresses = seedAddresses(random.fork('addresses'), name);
  const home = addresses[0] as Address;
  const chosen = seedSettings(random.fork('settings'));
  return {
    today,
    customer: { name, email: `${(name.split(' ')[0] as string).toLowerCase()}@post.example` },
    products,
    reviews: seedReviews(random.fork('reviews'), products),
    cart: seedCart(random.fork('cart'), products),
    coupon: null,
    coupons: seedCoupons(random.fork('coupons')),
    orders: seedOrders(random.fork('orders'), { products, addresses }),
    wishes: random
      .sample(products, random.between(5, 8))
      .map(({ id }, index) => ({ id: `w${index + 1}`, product: id })),
    addresses,
    defaultAddress: home.id,
    settings: chosen,
    ui: {
      screen: 'catalogue',
      notice: '',
      menu: false,
      dialog: null,
      reason: null,
      filter: emptyFilter,
      page: 1,
      product: '',
      choice: { size: null, colour: null, quantity: 1 },
      review: { stars: 0, title: '', body: '' },
      coupon: '',
      checkout: emptyCheckout,
      order: '',
      orderText: '',
      orderStatus: anyStatus,
      address: { id: null, label: '', name: '', street: '', postcode: '', city: '' },
    },
  };
}

function seedProducts(random: Random): Product[] {
  const stocked = categories.flatMap(category =>
    random.sample(articles[category], productsPerCategory).map(article => ({ category, article })),
  );
  return random.shuffle(stocked).map(({ category, article }, index) => {
    const [name, usual, about, kind] = article;
    const { sizes, colours } = variants[kind];
    return {
      id: `p${index + 1}`,
      name,
      category,
      about,
      price: seedPrice(random, usual),
      rating: random.between(31, 49),
      stock: seedStock(random),
      sizes,
      colours,
    };
  });
}

function seedPrice(random: Random, usual: number): number {
  const euros = Math.max(5, Math.round((usual * random.between(80, 120)) / 10_000));
  return euros * 100 - random.pick([0, 5, 10, 50]);
}

function seedStock(random: Random): number {
  if (random.chance(0.12)) return 0;
  return random.chance(0.15) ? random.between(1, 4) : random.between(10, 60);
}

function seedReviews(random: Random, products: readonly Product[]): Shop['reviews'] {
  let age = 400;
  return Array.from({ length: reviewCount }, (_, index) => {
    age -= random.between(2, 7);
    const [stars, title, body] = random.pick(opinions);
    return {
      id: `r${index + 1}`,
      product: random.pick(products).id,
      author: random.pick(authors),
      stars,
      title,
      body,
      date: addDays(today, -Math.max(1, age)),
    };
  });
}

function seedCart(random: Random, products: readonly Product[]): CartLine[] {
  const buyable = products.filter(({ stock }) => stock >= 10);
  return random.sample(buyable, 6).map((chosen, index) => {
    const { product, size, colour } = seedVariant(random, chosen);
    return { id: `c${index + 1}`, product, size, colour, quantity: random.between(1, 3), saved: index >= 4 };
  });
}

function seedVariant(random: Random, { id, sizes, colours }: Product): Pick<CartLine, 'product' | 'size' | 'colour'> {
  return {
    product: id,
    size: sizes.length === 0 ? null : random.pick(sizes),
    colour: colours.length === 0 ? null : random.pick(colours),
  };
}

/** Four coupons that are good and two that have expired; their codes differ between worlds. */
function seedCoupons(random: Random): Coupon[] {
  const category = random.pick(categories);
  const numbers = random.shuffle([10, 15, 20, 25, 30]);
  const coupon = (word: string, terms: Partial<Coupon>): Coupon => {
    const percent = numbers.pop() ?? 5;
    const expires = addDays(today, random.between(3, 60));
    return { id: `${word}${percent}`, percent, amount: 0, minimum: 0, category: null, expires, ...terms };
  };
  const past = (): Partial<Coupon> => ({ expires: addDays(today, -random.between(3, 60)) });
  return random.shuffle([
    coupon('SPRING', {}),
    coupon('PARCEL', { minimum: 4000 }),
    coupon(category.toUpperCase(), { category }),
    coupon('WINTER', past()),
    coupon('AUTUMN', { minimum: 3000, ...past() }),
    coupon('WELCOME', { percent: 0, amount: 500 }),
  ]);
}

function seedAddresses(random: Random, name: string): Address[] {
  const places = random.sample(streets, 4);
  const others = random.sample(labels, 2);
  return ['Home', 'Work', ...others].map((label, index) => {
    const [postcode, city] = random.pick(towns);
    const street = `${random.between(2, 98)} ${places[index]}`;
    return { id: `a${index + 1}`, label, name: index < 2 ? name : random.pick(recipients), street, postcode, city };
  });
}

function seedSettings(random: Random): Shop['settings'] {
  const onOff = (): 'On' | 'Off' => random.pick(settings.priceAlerts.values);
  return {
    language: 'English',
    newsletter: random.pick(settings.newsletter.values),
    updates: random.pick(settings.updates.values),
    delivery: random.pick(deliveries),
    payment: random.pick(payments),
    priceAlerts: onOff(),
    stockAlerts: onOff(),
    reviewReminders: onOff(),
    recommendations: onOff(),
  };
}

interface OrderGoods {
  readonly products: readonly Product[];
  readonly addresses: readonly Address[];
}

/** Past orders, the oldest first. */
function seedOrders(random: Random, goods: OrderGoods): Order[] {
  const recent = [6, 5, 2, 1, 0];
  const ages = Array.from({ length: 11 }, (_, index) => 150 - index * 13 + random.between(0, 9));
  let number = random.between(20_400, 48_000);
  return [...ages, ...recent].map(age => {
    number += random.between(3, 90);
    return seedOrder(random, { ...goods, age, id: `SO-${number}` });
  });
}

function seedOrder(random: Random, { products, addresses, age, id }: OrderGoods & { age: number; id: string }): Order {
  const delivery = random.pick(deliveries);
  const lines = random
    .sample(products, random.between(1, 3))
    .map((product, index) => seedLine(random, { product, index }));
  const subtotal = lines.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
  const { fee, freeFrom, days } = deliveryTerms[delivery];
  const charged = subtotal >= freeFrom ? 0 : fee;
  const placed = addDays(today, -age);
  const due = addDays(placed, days);
  const status = age < 4 ? 'Processing' : age < 8 ? 'Shipped' : random.chance(0.15) ? 'Cancelled' : 'Delivered';
  return {
    id,
    placed,
    status,
    lines,
    address: addressLine(random.pick(addresses)),
    delivery,
    payment: random.pick(payments),
    gift: random.chance(0.2) ? random.pick(giftNotes) : '',
    coupon: null,
    discount: 0,
    fee: charged,
    total: subtotal + charged,
    due: status === 'Shipped' ? addDays(today, random.between(1, 3)) : due,
    returnBy: status === 'Delivered' ? addDays(due, 30) : null,
  };
}

function seedLine(random: Random, { product, index }: { product: Product; index: number }): OrderLine {
  return {
    id: `l${index + 1}`,
    ...seedVariant(random, product),
    quantity: random.chance(0.7) ? 1 : random.between(2, 3),
    name: product.name,
    price: product.price,
    returned: null,
  };
}
