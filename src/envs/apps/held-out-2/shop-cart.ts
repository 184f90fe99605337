import { added, find, need } from '../../../worlds/app/table.ts';
import { activeLines, addressLine } from '../shop/pricing.ts';
import { payments, productOf, template, type CartLine, type Shop } from '../shop/state.ts';
import { bought, cartContents, holds, placed } from '../shop/templates-shopping.ts';
import { labels, recipients, streets, towns } from '../shop/words.ts';

const plenty = 24;

const orderAgain = template('order-again', {
  about: 'Order what a past order held once more, with another payment.',
  split: 'test-2',
  sample(shop, random) {
    const delivered = shop.orders.filter(({ status }) => status === 'Delivered');
    if (delivered.length === 0) return null;
    const payment = random.pick(payments.filter(method => method !== shop.settings.payment));
    return { order: random.pick(delivered).id, payment };
  },
  setup(draft, { order }) {
    for (const { product } of need(draft.orders, order, 'order').lines) {
      need(draft.products, product, 'product').stock = plenty;
    }
    draft.cart = draft.cart.filter(line => line.saved);
  },
  instruction: ({ order, payment }, random) =>
    random.pick([
      `Order the same things again that were in ${order}, and pay by ${payment} this time.`,
      `I liked what came with order ${order}. Buy all of it once more. Payment: ${payment}.`,
      `Repeat order ${order} for me, paid by ${payment}. Everything else as usual.`,
    ]),
  checks: ({ order, payment }) =>
    placed([
      bought(`it holds what ${order} held`, ({ lines }, { orders }) => holds(lines, find(orders, order)?.lines ?? [])),
      bought(`payment is by ${payment}`, made => made.payment === payment),
      bought('delivery and address are the usual ones', (made, { settings, addresses, defaultAddress }) => {
        const usual = find(addresses, defaultAddress);
        return made.delivery === settings.delivery && usual !== undefined && made.address === addressLine(usual);
      }),
      bought('there is no coupon and no gift note', ({ coupon, gift }) => coupon === null && gift === ''),
    ]),
  allow: () => ['/orders/+', '/cart/+'],
});

const shipToNewAddress = template('ship-to-new-address', {
  about: 'Add an address and order the cart to it.',
  split: 'test-2',
  sample(shop, random) {
    const taken = new Set(shop.addresses.map(({ label }) => label));
    const [postcode, city] = random.pick(towns);
    return {
      label: random.pick(labels.filter(label => !taken.has(label))),
      recipient: random.pick(recipients),
      street: `${random.between(101, 299)} ${random.pick(streets)}`,
      postcode,
      city,
      lines: activeLines(shop).map(({ id }) => id),
    };
  },
  instruction: ({ label, recipient, street, postcode, city }, random) =>
    random.pick([
      `My cart should be shipped to a new place: add "${label}" (${recipient}, ${street}, ${postcode} ${city}) to my address book and place the order with that address.`,
      `Save a new address: label "${label}", recipient ${recipient}, street ${street}, postcode ${postcode}, city ${city}. Then buy what is in the cart and have it sent there.`,
      `Everything in the cart should go to ${recipient}, ${street}, ${postcode} ${city}. That is a new address, call it "${label}". Please order.`,
    ]),
  checks: ({ label, recipient, street, postcode, city, lines }) => {
    const wanted = { label, name: recipient, street, postcode, city };
    return [
      {
        id: 'new-address',
        name: `exactly one address is new: ${label}, ${recipient}, ${addressLine(wanted)}`,
        test: (final, initial) => isOnlyNewAddress(final, initial, wanted),
      },
      ...placed([
        { ...bought(`the order goes to ${label}`, made => made.address === addressLine(wanted)), id: 'sent-there' },
        bought('the order holds what was in the cart', (made, { cart }) =>
          holds(
            made.lines,
            cart.filter(({ id }) => lines.includes(id)),
          ),
        ),
        bought('everything else is as usual', ({ delivery, payment, coupon, gift }, { settings }) => {
          const usual = delivery === settings.delivery && payment === settings.payment;
          return usual && coupon === null && gift === '';
        }),
      ]),
    ];
  },
  allow: ({ lines }) => ['/addresses/+', '/orders/+', ...lines.map(id => `/cart/${id}`)],
});

type AddressText = Omit<Shop['addresses'][number], 'id'>;

function isOnlyNewAddress(final: Shop, initial: Shop, wanted: AddressText): boolean {
  const [address, ...more] = added(initial.addresses, final.addresses);
  if (address === undefined || more.length > 0) return false;
  return address.label === wanted.label && address.name === wanted.name && addressLine(address) === addressLine(wanted);
}

const bringBackSaved = template('bring-back-saved', {
  about: 'Move one thing that was saved for later into the cart and remove another.',
  split: 'test-2',
  sample(shop, random) {
    const [back, out] = random.sample(
      shop.cart.filter(line => line.saved),
      2,
    );
    if (back === undefined || out === undefined) return null;
    const named = ({ id, product }: CartLine) => ({ id, name: productOf(shop, product)?.name ?? '' });
    return { back: named(back), out: named(out) };
  },
  instruction: ({ back, out }, random) =>
    random.pick([
      `I do want the ${back.name} after all: move it from "Saved for later" to the cart. The ${out.name} that I saved can be removed.`,
      `Of the things I saved for later, put the ${back.name} into the cart again and drop the ${out.name}.`,
      `Take the ${out.name} off my saved things, and the ${back.name} should be in the cart instead of being saved.`,
    ]),
  checks: ({ back, out }) => [
    {
      name: `the ${back.name} is in the cart`,
      test: (final, { cart }) => activeLines(final).some(({ product }) => product === find(cart, back.id)?.product),
    },
    {
      name: `the ${out.name} is gone`,
      test: (final, { cart }) => final.cart.every(({ product }) => product !== find(cart, out.id)?.product),
    },
    {
      name: 'everything else is as it was',
      test(final, { cart }) {
        const kept = cart.filter(({ id }) => id !== out.id);
        const wanted = kept.map(line => (line.id === back.id ? { ...line, saved: false } : line));
        return cartContents(final.cart) === cartContents(wanted);
      },
    },
  ],
  // A line may be removed and put in again, so the cart is compared by what it holds.
  allow: ({ back, out }) => ['/cart/+', `/cart/${back.id}`, `/cart/${out.id}`],
});

const cartIsRight = template('cart-is-right', {
  about: 'Make sure of a quantity and that no coupon is used; in half of the tasks one of them is wrong.',
  split: 'test-2',
  kind: 'already-done',
  sample(shop, random) {
    const { id: line, product } = random.pick(activeLines(shop));
    const usable = shop.coupons.filter(
      ({ expires, minimum, category }) => expires >= shop.today && minimum === 0 && category === null,
    );
    const [quantity = 2, otherQuantity = 3] = random.sample([2, 3, 4, 5, 6], 2);
    const wrong = random.chance(0.5) ? random.pick(['quantity', 'coupon']) : null;
    return {
      line,
      product: productOf(shop, product)?.name ?? '',
      quantity,
      coupon: wrong === 'coupon' ? random.pick(usable).id : null,
      otherQuantity: wrong === 'quantity' ? otherQuantity : null,
    };
  },
  isTwin: ({ coupon, otherQuantity }) => coupon !== null || otherQuantity !== null,
  setup(draft, { line, quantity, coupon, otherQuantity }) {
    draft.coupon = coupon;
    need(draft.cart, line, 'cart line').quantity = otherQuantity ?? quantity;
  },
  instruction: ({ product, quantity }, random) =>
    random.pick([
      `Before I order: there must be ${quantity} of the ${product} in my cart, and no coupon on it. Put it right if it is not so.`,
      `Make sure that the cart has ${quantity} of the ${product} and uses no coupon.`,
      `Have a look at my cart. I want exactly ${quantity} of the ${product}, and I am keeping my coupons for later, so none should be used.`,
    ]),
  checks: ({ line, product, quantity }) => [
    {
      id: 'quantity',
      name: `there are ${quantity} of the ${product}`,
      test: final => find(final.cart, line)?.quantity === quantity,
    },
    { name: 'no coupon is used', test: final => final.coupon === null },
  ],
  allow: ({ line, coupon }) => [coupon === null ? `/cart/${line}/quantity` : '/coupon'],
  shown: ({ ui }) => ui.screen === 'cart',
});

export const shopCartTemplates = [orderAgain, shipToNewAddress, bringBackSaved, cartIsRight];
