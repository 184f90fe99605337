import { added, find, need } from '../../../worlds/app/table.ts';
import { matchingProducts } from '../shop/queries.ts';
import { categories, emptyFilter, settings, template, type Shop } from '../shop/state.ts';
import { listedProducts } from '../shop/view-catalogue.ts';
import { streets, towns } from '../shop/words.ts';

const alerts = { priceAlerts: 'gets cheaper', stockAlerts: 'is available again' } as const;

const watchProduct = template('watch-product', {
  about: 'Put a product on the wish list and turn an alert on.',
  split: 'test-2',
  sample(shop, random) {
    const wished = new Set(shop.wishes.map(({ product }) => product));
    const { id, name } = random.pick(shop.products.filter(product => !wished.has(product.id)));
    const setting = random.pick(['priceAlerts', 'stockAlerts'] as const);
    return { id, product: name, setting, label: settings[setting].label };
  },
  setup(draft, { id, setting }) {
    draft.settings[setting] = 'Off';
    if (setting === 'stockAlerts') need(draft.products, id, 'product').stock = 0;
  },
  instruction: ({ product, setting, label }, random) =>
    random.pick([
      `I want to hear about it when the ${product} ${alerts[setting]}. Put it on my wish list and switch "${label}" on.`,
      `Add the ${product} to the wish list and turn on ${label} in my account.`,
      `Tell me when the ${product} ${alerts[setting]}! For that it has to be on my wish list, and ${label} must be on.`,
    ]),
  checks: ({ id, product, setting, label }) => [
    {
      name: `the wish list has gained the ${product} and nothing else`,
      test(final, initial) {
        const [wish, ...more] = added(initial.wishes, final.wishes);
        return wish?.product === id && more.length === 0;
      },
    },
    { id: 'alert', name: `${label} is on`, test: final => final.settings[setting] === 'On' },
  ],
  allow: ({ setting }) => ['/wishes/+', `/settings/${setting}`],
});

const correctAddress = template('correct-address', {
  about: 'Change street, postcode and city of an address.',
  split: 'test-2',
  sample(shop, random) {
    const { id, label, postcode: old } = random.pick(shop.addresses);
    const [postcode, city] = random.pick(towns.filter(([other]) => other !== old));
    return { id, label, street: `${random.between(101, 299)} ${random.pick(streets)}`, postcode, city };
  },
  instruction: ({ label, street, postcode, city }, random) =>
    random.pick([
      `My address "${label}" is out of date. It is ${street}, ${postcode} ${city} now.`,
      `We have moved! In the address book, change "${label}" to street ${street}, postcode ${postcode}, city ${city}.`,
      `Please correct the address called ${label}: ${street}, ${postcode} ${city}. The recipient stays the same.`,
    ]),
  checks: ({ id, label, street, postcode, city }) => [
    {
      id: 'street',
      name: `the street of ${label} is ${street}`,
      test: final => find(final.addresses, id)?.street === street,
    },
    {
      id: 'postcode',
      name: `its postcode is ${postcode}`,
      test: final => find(final.addresses, id)?.postcode === postcode,
    },
    { id: 'city', name: `its city is ${city}`, test: final => find(final.addresses, id)?.city === city },
  ],
  allow: ({ id }) => ['street', 'postcode', 'city'].map(field => `/addresses/${id}/${field}`),
});

const extremes = { 'Price: low to high': 'cheapest', 'Price: high to low': 'most expensive' } as const;

const extremePrice = template('extreme-price', {
  about: 'Name the cheapest or the most expensive product of a category that is in stock.',
  split: 'test-2',
  sample(shop, random) {
    const category = random.pick(categories);
    const sort = random.pick(['Price: low to high', 'Price: high to low'] as const);
    const [first, second] = matchingProducts(shop, { ...emptyFilter, category, sort, stocked: true });
    return first === undefined || second === undefined || first.price === second.price ? null : { category, sort };
  },
  instruction: ({ category, sort }, random) =>
    random.pick([
      `What is the ${extremes[sort]} thing in ${category} that is in stock? Answer with its name.`,
      `Among the products in the category ${category} that are not sold out, which one is the ${extremes[sort]}? Give me its name.`,
      `I am looking at ${category}. Name the ${extremes[sort]} product that can be delivered now.`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: (filter, initial) => matchingProducts(initial, { ...emptyFilter, ...filter, stocked: true })[0]?.name ?? '',
  shown(shop, { category, sort }) {
    const { screen, filter, page } = shop.ui;
    const narrowed = { ...filter, stocked: false, sort: emptyFilter.sort };
    const isWhole = JSON.stringify(narrowed) === JSON.stringify({ ...emptyFilter, category });
    const isInOrder = filter.sort === sort && page <= 1;
    return screen === 'catalogue' && isWhole && (isInOrder || listedProducts(shop).pages === 1);
  },
});

const cancelOrder = template('cancel-order', {
  about: 'Cancel an order; in half of the tasks it has been shipped, and it is too late.',
  split: 'test-2',
  kind: 'infeasible',
  sample(shop, random) {
    const inTime = random.chance(0.5);
    const orders = shop.orders.filter(({ status }) => status === (inTime ? 'Processing' : 'Shipped'));
    return orders.length === 0 ? null : { order: random.pick(orders).id, inTime };
  },
  isTwin: ({ inTime }) => inTime === true,
  instruction: ({ order }, random) =>
    random.pick([
      `Please cancel order ${order}, I do not need it any more.`,
      `I ordered too quickly. Can you call off ${order} for me?`,
      `Order ${order} is to be cancelled.`,
    ]),
  checks: ({ order }) => [
    { name: `order ${order} is cancelled`, test: ({ orders }) => find(orders, order)?.status === 'Cancelled' },
  ],
  allow: ({ order }) => [`/orders/${order}/status`],
  shown: ({ ui }: Shop, { order }) => ui.screen === 'order' && ui.order === order,
});

export const shopAccountTemplates = [watchProduct, correctAddress, extremePrice, cancelOrder];
