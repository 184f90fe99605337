import { added, find, need } from '../../../worlds/app/table.ts';
import { addDays } from './pricing.ts';
import { matchingOrders } from './queries.ts';
import {
  deliveries,
  returnReasons,
  settingNames,
  settings,
  template,
  type Address,
  type Delivery,
  type OrderLine,
  type Setting,
  type Shop,
} from './state.ts';
import { holds, isOnScreen, perPage } from './templates-shopping.ts';
import { labels, opinions, recipients, streets, towns } from './words.ts';

const plenty = 24;

const changeSetting = template('change-setting', {
  about: 'Change one setting of the account.',
  split: 'train',
  steps: 12,
  sample(shop, random) {
    const setting = random.pick(settingNames);
    const { label, values } = settings[setting];
    const value = random.pick(values.filter(other => other !== shop.settings[setting]));
    return { setting, label, value };
  },
  instruction: ({ label, value }, random) =>
    random.pick([
      `Change the account setting "${label}" to ${value}.`,
      `In my account, "${label}" should be ${value}.`,
      `Please set "${label}" to ${value} for me.`,
    ]),
  checks: ({ setting, label, value }) => [
    { id: 'setting', name: `${label} is ${value}`, test: final => final.settings[setting as Setting] === value },
  ],
  allow: ({ setting }) => [`/settings/${setting}`],
});

const addToWishList = template('add-to-wish-list', {
  about: 'Put a product on the wish list.',
  split: 'train',
  steps: 15,
  sample(shop, random) {
    const { id, name } = random.pick(shop.products.filter(product => !isWished(shop, product.id)));
    return { id, product: name };
  },
  instruction: ({ product }, random) =>
    random.pick([
      `Put the ${product} on my wish list.`,
      `I would like the ${product} for my birthday. Add it to the wish list.`,
    ]),
  checks: ({ id, product }) => [
    {
      name: `the wish list has gained the ${product} and nothing else`,
      test(final, initial) {
        const [wish, ...more] = added(initial.wishes, final.wishes);
        return wish?.product === id && more.length === 0;
      },
    },
  ],
  allow: () => ['/wishes/+'],
});

function isWished({ wishes }: Shop, id: string): boolean {
  return wishes.some(({ product }) => product === id);
}

const cancelAndReorder = template('cancel-and-reorder', {
  about: 'Cancel an order and put what it held into the cart again.',
  split: 'train',
  sample(shop, random) {
    const inCart = new Set(shop.cart.map(({ product }) => product));
    const open = shop.orders.filter(
      ({ status, lines }) => status === 'Processing' && lines.every(({ product }) => !inCart.has(product)),
    );
    return open.length === 0 ? null : { order: random.pick(open).id };
  },
  setup(draft, { order }) {
    for (const { product } of need(draft.orders, order, 'order').lines) {
      need(draft.products, product, 'product').stock = plenty;
    }
  },
  instruction: ({ order }, random) =>
    random.pick([
      `Cancel my order ${order}, but put its products into the cart again so that I can order later.`,
      `Order ${order} went wrong. Put the same products back into my cart and cancel the order.`,
    ]),
  checks: ({ order }) => [
    { name: `order ${order} is cancelled`, test: ({ orders }) => find(orders, order)?.status === 'Cancelled' },
    {
      name: 'its products are in the cart again',
      test: (final, initial) => holds(added(initial.cart, final.cart), find(initial.orders, order)?.lines ?? []),
    },
    {
      name: 'none of them is saved for later',
      test: (final, initial) => added(initial.cart, final.cart).every(line => !line.saved),
    },
  ],
  allow: ({ order }) => [`/orders/${order}/status`, '/cart/+'],
});

const addAddress = template('add-address', {
  about: 'Add an address to the address book.',
  split: 'train',
  sample(shop, random) {
    const taken = new Set(shop.addresses.map(({ label }) => label));
    const [postcode, city] = random.pick(towns);
    return {
      label: random.pick(labels.filter(label => !taken.has(label))),
      recipient: random.pick(recipients),
      street: `${random.between(101, 299)} ${random.pick(streets)}`,
      postcode,
      city,
    };
  },
  instruction: ({ label, recipient, street, postcode, city }, random) =>
    random.pick([
      `Add a new address called "${label}" to my address book: ${recipient}, ${street}, ${postcode} ${city}.`,
      `Save this in the address book under the label "${label}": recipient ${recipient}, street ${street}, postcode ${postcode}, city ${city}.`,
    ]),
  checks: ({ label, recipient, street, postcode, city }) => [
    { name: `exactly one address is new, called ${label}`, test: isNew(address => address.label === label) },
    { name: `it is for ${recipient}`, test: isNew(address => address.name === recipient) },
    { name: `its street is ${street}`, test: isNew(address => address.street === street) },
    {
      name: `it is in ${postcode} ${city}`,
      test: isNew(address => address.postcode === postcode && address.city === city),
    },
  ],
  allow: () => ['/addresses/+'],
});

function isNew(wanted: (address: Address) => boolean): (final: Shop, initial: Shop) => boolean {
  return (final, initial) => {
    const [address, ...more] = added(initial.addresses, final.addresses);
    return address !== undefined && more.length === 0 && wanted(address);
  };
}

const reviewProduct = template('review-product', {
  about: 'Take a product off the wish list and review it with stars, a title and a text.',
  split: 'train',
  sample(shop, random) {
    const { id: wish, product: id } = random.pick(shop.wishes);
    const [stars, title, text] = random.pick(opinions);
    return { id, wish, product: need(shop.products, id, 'product').name, stars, title, text };
  },
  instruction: ({ product, stars, title, text }, random) =>
    random.pick([
      `I was given the ${product}. Take it off my wish list and review it: ${stars} of 5 stars, with the title "${title}" and the text "${text}"`,
      `Publish a review of the ${product} with ${stars} of 5 stars. Title: "${title}". Text: "${text}" Then take it off my wish list.`,
    ]),
  checks: ({ id, wish, product, stars, title, text }) => [
    { name: `the ${product} is off the wish list`, test: ({ wishes }) => find(wishes, wish) === undefined },
    { name: `exactly one review is new, of the ${product}`, test: isReviewed(review => review.product === id) },
    { name: `it gives ${stars} stars`, test: isReviewed(review => review.stars === stars) },
    { name: `its title is "${title}"`, test: isReviewed(review => review.title === title) },
    { name: 'its text is as given', test: isReviewed(review => review.body === text) },
  ],
  allow: ({ wish }) => [`/wishes/${wish}`, '/reviews/+'],
});

function isReviewed(wanted: (review: Shop['reviews'][number]) => boolean): (final: Shop, initial: Shop) => boolean {
  return (final, initial) => {
    const [review, ...more] = added(initial.reviews, final.reviews);
    return review !== undefined && more.length === 0 && wanted(review);
  };
}

const keepDefaults = template('keep-delivery-defaults', {
  about: 'Make sure of a default address and delivery; in half of the tasks one of them is another.',
  split: 'train',
  kind: 'already-done',
  steps: 12,
  sample(shop, random) {
    const [wanted, other] = random.sample(shop.addresses, 2) as [Address, Address];
    const [delivery, otherDelivery] = random.sample(deliveries, 2) as [Delivery, Delivery];
    const missing = random.chance(0.5) ? random.pick(['address', 'delivery']) : null;
    const isSet = { addressIsSet: missing !== 'address', deliveryIsSet: missing !== 'delivery' };
    return { id: wanted.id, label: wanted.label, other: other.id, delivery, otherDelivery, ...isSet };
  },
  isTwin: ({ addressIsSet, deliveryIsSet }) => addressIsSet === false || deliveryIsSet === false,
  setup(draft, { id, other, delivery, otherDelivery, addressIsSet, deliveryIsSet }) {
    draft.defaultAddress = addressIsSet ? id : other;
    draft.settings.delivery = deliveryIsSet ? delivery : otherDelivery;
  },
  instruction: ({ label, delivery }, random) =>
    random.pick([
      `Make sure that parcels go to "${label}" by default, and that ${delivery} is my default delivery.`,
      `My default address should be "${label}" and my default delivery ${delivery}. Change it if it is not so.`,
    ]),
  checks: ({ id, label, delivery }) => [
    { name: `${label} is the default address`, test: final => final.defaultAddress === id },
    { name: `${delivery} is the default delivery`, test: final => final.settings.delivery === delivery },
  ],
  allow: ({ addressIsSet }) => [addressIsSet ? '/settings/delivery' : '/defaultAddress'],
  shown: ({ ui }) => [ui.screen === 'addresses', ui.screen === 'settings'],
});

const moveHouse = template('replace-default-address', {
  about: 'Make another address the default and delete the old one.',
  split: 'test',
  sample(shop, random) {
    const [old, next] = random.sample(shop.addresses, 2) as [Address, Address];
    return { old: { id: old.id, label: old.label }, next: { id: next.id, label: next.label } };
  },
  setup(draft, { old }) {
    draft.defaultAddress = old.id;
  },
  instruction: ({ old, next }, random) =>
    random.pick([
      `I no longer use the address "${old.label}". Make "${next.label}" my default address and delete "${old.label}".`,
      `Delete "${old.label}" from my address book; from now on "${next.label}" is the default.`,
    ]),
  checks: ({ old, next }) => [
    { name: `${next.label} is the default address`, test: final => final.defaultAddress === next.id },
    { name: `${old.label} is deleted`, test: final => find(final.addresses, old.id) === undefined },
  ],
  allow: ({ old }) => ['/defaultAddress', `/addresses/${old.id}`],
});

const orderOfProduct = template('order-of-product', {
  about: 'Tell which order contained a product.',
  split: 'test',
  steps: 15,
  sample(shop, random) {
    const lines = shop.orders.flatMap(order => order.lines.map(({ name }) => ({ name, order: order.id })));
    const once = lines.filter(({ name }) => lines.filter(line => line.name === name).length === 1);
    // What was cancelled was not bought.
    const bought = once.filter(({ order }) => find(shop.orders, order)?.status !== 'Cancelled');
    if (bought.length === 0) return null;
    const { name, order } = random.pick(bought);
    return { product: name, order };
  },
  instruction: ({ product }, random) =>
    random.pick([
      `In which order did I buy the ${product}? Answer with the order number, like SO-123.`,
      `I need the number of the order that contained the ${product}. Answer with the number as in SO-123.`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ order }) => order,
  shown(shop, { product, order }) {
    const { screen, orderText, orderStatus } = shop.ui;
    if (screen === 'order') return shop.ui.order === order;
    if (screen !== 'orders' || orderText !== product) return false;
    return matchingOrders(shop, { text: orderText, status: orderStatus }).some(({ id }) => id === order);
  },
});

const returnItem = template('return-item', {
  about: 'Send an item of a delivered order back, with a reason.',
  split: 'test',
  sample(shop, random) {
    const delivered = shop.orders.filter(({ status }) => status === 'Delivered');
    if (delivered.length === 0) return null;
    const order = random.pick(delivered);
    const line: OrderLine = random.pick(order.lines);
    return { order: order.id, line: line.id, product: line.name, reason: random.pick(returnReasons) };
  },
  setup(draft, { order }) {
    need(draft.orders, order, 'order').returnBy = addDays(draft.today, 12);
  },
  instruction: ({ order, product, reason }, random) =>
    random.pick([
      `Return the ${product} from order ${order}. The reason is "${reason}".`,
      `I want to send back the ${product} of my order ${order}, reason "${reason}".`,
    ]),
  checks: ({ order, line, product, reason }) => [
    {
      name: `the ${product} is returned with the reason "${reason}"`,
      test: ({ orders }) => find(find(orders, order)?.lines ?? [], line)?.returned === reason,
    },
  ],
  allow: ({ order, line }) => [`/orders/${order}/lines/${line}/returned`],
});

const outOfStock = template('buy-what-is-sold-out', {
  about: 'Put a product into the cart that in half of the tasks is out of stock.',
  split: 'test',
  kind: 'infeasible',
  steps: 12,
  sample(shop, random) {
    const inCart = new Set(shop.cart.map(({ product }) => product));
    const { id, name } = random.pick(shop.products.slice(perPage).filter(product => !inCart.has(product.id)));
    return { id, product: name, stocked: random.chance(0.5) };
  },
  isTwin: ({ stocked }) => stocked === true,
  setup(draft, { id, stocked }) {
    need(draft.products, id, 'product').stock = stocked ? plenty : 0;
  },
  instruction: ({ product }, random) =>
    random.pick([
      `Put the ${product} into my cart, one is enough.`,
      `I need the ${product}. Add one to the cart; it does not matter in which size or colour it comes.`,
    ]),
  checks: ({ id, product }) => [
    {
      name: `exactly one ${product} was added to the cart`,
      test(final, initial) {
        const [line, ...more] = added(initial.cart, final.cart);
        return line?.product === id && line.quantity === 1 && !line.saved && more.length === 0;
      },
    },
  ],
  allow: () => ['/cart/+', '/cart/+/size', '/cart/+/colour'],
  shown: (shop, { id }) => isOnScreen(shop, id),
});

export const accountTemplates = [
  changeSetting,
  addToWishList,
  cancelAndReorder,
  addAddress,
  reviewProduct,
  keepDefaults,
  moveHouse,
  orderOfProduct,
  returnItem,
  outOfStock,
];
