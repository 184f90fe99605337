import { added, find, need } from '../../../worlds/app/table.ts';
import { activeLines } from '../shop/pricing.ts';
import { productOf, returnReasons, settingNames, settings, template, type Shop } from '../shop/state.ts';
import { opinions, recipients } from '../shop/words.ts';

const plenty = 24;

/** Unseen skill: no training task takes a coupon off. */
const couponForLater = template('coupon-for-later', {
  about: 'Take the coupon off the cart and change a quantity.',
  split: 'test-3',
  sample(shop, random) {
    const line = random.pick(activeLines(shop));
    const usable = shop.coupons.filter(
      ({ expires, minimum, category }) => expires >= shop.today && minimum === 0 && category === null,
    );
    const quantity = random.pick([2, 3, 4, 5, 6].filter(known => known !== line.quantity));
    const product = productOf(shop, line.product);
    if (product === undefined || usable.length === 0) return null;
    return { line: line.id, id: product.id, product: product.name, quantity, coupon: random.pick(usable).id };
  },
  setup(draft, { id, coupon }) {
    draft.coupon = coupon;
    need(draft.products, id, 'product').stock = plenty;
  },
  instruction: ({ product, quantity, coupon }, random) =>
    random.pick([
      `I am keeping ${coupon} for another time: take it off my cart. And I need ${quantity} of the ${product}.`,
      `Change the number of the ${product} in the cart to ${quantity}, and remove the coupon.`,
      `Two changes to my cart, please: no coupon any more, and ${quantity} of the ${product}.`,
    ]),
  checks: ({ line, product, quantity }) => [
    { name: 'no coupon is used', test: final => final.coupon === null },
    {
      id: 'quantity',
      name: `there are ${quantity} of the ${product}`,
      test: final => find(final.cart, line)?.quantity === quantity,
    },
  ],
  allow: ({ line }) => ['/coupon', `/cart/${line}/quantity`],
});

/** Unseen skills: no training task edits an address or makes one the default by itself. */
const newRecipient = template('new-recipient', {
  about: 'Change who receives parcels at an address, and make it the default.',
  split: 'test-3',
  sample(shop, random) {
    const others = shop.addresses.filter(({ id }) => id !== shop.defaultAddress);
    if (others.length === 0) return null;
    const { id, label, name } = random.pick(others);
    return { id, label, recipient: random.pick(recipients.filter(known => known !== name)) };
  },
  instruction: ({ label, recipient }, random) =>
    random.pick([
      `Parcels to "${label}" are for ${recipient} now. Change that in the address book, and make it my default address.`,
      `Set the recipient of the address "${label}" to ${recipient}. From now on everything should go there by default.`,
      `My default address should be "${label}", and its recipient ${recipient}.`,
    ]),
  checks: ({ id, label, recipient }) => [
    {
      id: 'recipient',
      name: `the recipient of ${label} is ${recipient}`,
      test: final => find(final.addresses, id)?.name === recipient,
    },
    { id: 'default', name: `${label} is the default address`, test: final => final.defaultAddress === id },
  ],
  allow: ({ id }) => [`/addresses/${id}/name`, '/defaultAddress'],
});

/** New composition: reviews and settings are taught, not together. */
const reviewAndMute = template('review-and-mute', {
  about: 'Review a product of the wish list and turn the review reminders off.',
  split: 'test-3',
  sample(shop, random) {
    const { product: id } = random.pick(shop.wishes);
    const [stars, title, text] = random.pick(opinions);
    const label = settings.reviewReminders.label;
    return { id, product: need(shop.products, id, 'product').name, stars, title, text, label };
  },
  setup(draft) {
    draft.settings.reviewReminders = 'On';
  },
  instruction: ({ product, stars, title, text, label }, random) =>
    random.pick([
      `Write a review of the ${product}: ${stars} of 5 stars, title "${title}", text "${text}" Then set "${label}" to Off, I have had enough of them.`,
      `Set "${label}" to Off in my account. Before that, review the ${product} with ${stars} of 5 stars, the title "${title}" and the text "${text}"`,
      `One last review: the ${product}, ${stars} of 5 stars. Title: "${title}". Text: "${text}" After that ${label} should be Off.`,
    ]),
  checks: ({ id, product, stars, title, text, label }) => [
    {
      id: 'review',
      name: `exactly one review is new: of the ${product}, ${stars} stars, "${title}", "${text}"`,
      test(final, initial) {
        const [review, ...more] = added(initial.reviews, final.reviews);
        if (review?.product !== id || more.length > 0) return false;
        return review.stars === stars && review.title === title && review.body === text;
      },
    },
    { id: 'reminders', name: `${label} is Off`, test: final => final.settings.reviewReminders === 'Off' },
  ],
  allow: () => ['/reviews/+', '/settings/reviewReminders'],
});

/** New composition: orders are opened in training tasks, their day of delivery is not asked for. */
const dayOfDelivery = template('day-of-delivery', {
  about: 'Tell the day of delivery of an order.',
  split: 'test-3',
  sample(shop, random) {
    const open = shop.orders.filter(({ status }) => status === 'Delivered' || status === 'Shipped');
    return open.length === 0 ? null : { order: random.pick(open).id };
  },
  instruction: ({ order }, random) =>
    random.pick([
      `On which day is or was order ${order} delivered? Answer with the date as the order shows it.`,
      `Look up order ${order} and tell me the day of its delivery, as a date.`,
      `What is the delivery date of ${order}?`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ order }, { orders }) => find(orders, order)?.due ?? '',
  shown: ({ ui }, { order }) => ui.screen === 'order' && ui.order === order && ui.dialog === null,
});

/** New composition: settings are taught, making sure of two of them is not. */
const settingsAreRight = template('settings-are-right', {
  about: 'Make sure of two settings of the account; in half of the tasks one of them is another.',
  split: 'test-3',
  kind: 'already-done',
  sample(_shop, random) {
    const [first, second] = random.sample(settingNames, 2);
    if (first === undefined || second === undefined) return null;
    const drawn = [first, second].map(setting => {
      const [value = '', other = ''] = random.sample<string>(settings[setting].values, 2);
      return { setting, label: settings[setting].label, value, other };
    });
    return { drawn, wrong: random.chance(0.5) ? random.between(0, 1) : -1 };
  },
  isTwin: ({ wrong }) => wrong >= 0,
  setup(draft, { drawn, wrong }) {
    for (const [index, { setting, value, other }] of drawn.entries())
      Object.assign(draft.settings, { [setting]: index === wrong ? other : value });
  },
  instruction({ drawn }, random) {
    const [first, second] = drawn.map(({ label, value }) => ({ label, value }));
    return random.pick([
      `In my account, "${first?.label}" has to be ${first?.value} and "${second?.label}" ${second?.value}. Have a look and correct what differs.`,
      `Make sure that ${second?.label} is set to ${second?.value}, and ${first?.label} to ${first?.value}.`,
      `Is "${first?.label}" on ${first?.value}, and "${second?.label}" on ${second?.value}? If not, change it.`,
    ]);
  },
  checks: ({ drawn }) =>
    drawn.map(({ setting, label, value }, index) => ({
      id: `setting-${index + 1}`,
      name: `${label} is ${value}`,
      test: (final: Shop) => final.settings[setting] === value,
    })),
  allow: ({ drawn, wrong }) => [`/settings/${(drawn[Math.max(wrong, 0)] as { setting: string }).setting}`],
  shown: ({ ui }) => ui.screen === 'settings',
});

/** Unseen skill: no training task returns anything. */
const returnInTime = template('return-in-time', {
  about: 'Send an item back; in half of the tasks the time to return it is over.',
  split: 'test-3',
  kind: 'infeasible',
  sample(shop, random) {
    const delivered = shop.orders.filter(({ status }) => status === 'Delivered');
    if (delivered.length === 0) return null;
    const { id: order, lines } = random.pick(delivered);
    const { id: line, name: product } = random.pick(lines);
    const inTime = random.chance(0.5);
    const returnBy = inTime ? '2027-12-31' : '2020-01-31';
    return { order, line, product, reason: random.pick(returnReasons), inTime, returnBy };
  },
  isTwin: ({ inTime }) => inTime === true,
  setup(draft, { order, line, returnBy }) {
    const made = need(draft.orders, order, 'order');
    made.returnBy = returnBy;
    need(made.lines, line, 'item').returned = null;
  },
  instruction: ({ order, product, reason }, random) =>
    random.pick([
      `The ${product} from order ${order} has to go back. Reason: "${reason}".`,
      `Please return the ${product} that came with ${order}; give "${reason}" as the reason.`,
      `Send the ${product} of order ${order} back to the shop because of "${reason}".`,
    ]),
  checks: ({ order, line, product, reason }) => [
    {
      id: 'returned',
      name: `the ${product} is returned: "${reason}"`,
      test: ({ orders }) => find(find(orders, order)?.lines ?? [], line)?.returned === reason,
    },
  ],
  allow: ({ order, line }) => [`/orders/${order}/lines/${line}/returned`],
  shown: ({ ui }, { order }) => ui.screen === 'order' && ui.order === order,
});

export const shopThirdSet = [
  couponForLater,
  newRecipient,
  reviewAndMute,
  dayOfDelivery,
  settingsAreRight,
  returnInTime,
];
