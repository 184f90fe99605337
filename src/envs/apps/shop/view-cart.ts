import type { UiNode } from '../../../core/ui.ts';
import {
  button,
  combobox,
  form,
  link,
  list,
  listItem,
  radio,
  region,
  status,
  text,
  textbox,
  type Child,
} from '../../../worlds/app/elements.ts';
import { paginate } from '../../../worlds/app/table.ts';
import { removeWish } from './account-commands.ts';
import {
  addToCart,
  applyCoupon,
  changeQuantity,
  moveToCart,
  placeOrder,
  removeCoupon,
  removeFromCart,
  saveForLater,
} from './cart-commands.ts';
import { go, openCheckout, openProduct, pick, typeCoupon, typeGift } from './gestures.ts';
import {
  activeLines,
  addressLine,
  checkoutOf,
  couponProblem,
  couponTerms,
  deliveryTerms,
  money,
  totalsOf,
} from './pricing.ts';
import {
  deliveries,
  limits,
  payments,
  productOf,
  type CartLine,
  type Delivery,
  type Product,
  type Shop,
} from './state.ts';
import { pager, stockText } from './view-catalogue.ts';

const wishesPerPage = 8;
const quantities = Array.from({ length: limits.quantity }, (_, index) => String(index + 1));
const typingCoupon = typeCoupon.entering({});
const typingGift = typeGift.entering({});
const checkOut = button('Check out', openCheckout.with({}));
const backToCart = link('Back to cart', go.with({ screen: 'cart' }));

export function cartScreen(shop: Shop): UiNode {
  const active = activeLines(shop);
  const saved = shop.cart.filter(line => line.saved);
  return region('Cart', [
    list(
      active.length === 1 ? '1 item in the cart' : `${active.length} items in the cart`,
      active.map(line => cartEntry(shop, line)),
    ),
    active.length > 0 && couponForm(shop),
    ...totalLines(shop, shop.settings.delivery),
    active.length > 0 && checkOut,
    saved.length > 0 &&
      list(
        'Saved for later',
        saved.map(line => savedEntry(shop, line)),
      ),
  ]);
}

function cartEntry(shop: Shop, line: CartLine): UiNode {
  const { id, quantity } = line;
  const product = productOf(shop, line.product);
  return listItem(product?.name ?? 'Unknown product', [
    text(`${money(product?.price ?? 0)} each${variantText(line)}`),
    combobox('Quantity', String(quantity), { enter: changeQuantity.entering({ id }), options: quantities }),
    button('Save for later', saveForLater.with({ id })),
    button('Remove', removeFromCart.with({ id })),
  ]);
}

function savedEntry(shop: Shop, line: CartLine): UiNode {
  const { id, quantity } = line;
  const product = productOf(shop, line.product);
  return listItem(product?.name ?? 'Unknown product', [
    text(`${quantity} at ${money(product?.price ?? 0)} each${variantText(line)}`),
    button('Move to cart', moveToCart.with({ id })),
    button('Remove', removeFromCart.with({ id })),
  ]);
}

export function variantText({ size, colour }: Pick<CartLine, 'size' | 'colour'>): string {
  return `${size === null ? '' : `, size ${size}`}${colour === null ? '' : `, ${colour}`}`;
}

function couponForm(shop: Shop): UiNode {
  const code = shop.ui.coupon;
  return form('Coupon', [
    shop.coupon !== null && status(`Coupon ${shop.coupon} is used`),
    textbox('Coupon code', code, { enter: typingCoupon }),
    button('Apply coupon', applyCoupon.with({ code })),
    shop.coupon !== null && button('Remove coupon', removeCoupon.with({})),
  ]);
}

function totalLines(shop: Shop, delivery: Delivery): Child[] {
  const { subtotal, discount, fee, total } = totalsOf(shop, delivery);
  if (subtotal === 0) return [];
  return [
    text(`Subtotal: ${money(subtotal)}`),
    discount > 0 && text(`Discount: ${money(discount)}`),
    text(`${delivery} delivery: ${fee === 0 ? 'free' : money(fee)}`),
    text(`Total: ${money(total)}`),
  ];
}

export function checkoutScreen(shop: Shop): UiNode {
  const { address, delivery, payment, gift } = checkoutOf(shop);
  return region('Checkout', [
    backToCart,
    form(
      'Delivery address',
      shop.addresses.map(known =>
        radio(
          `${known.label}: ${addressLine(known)}`,
          known.id === address,
          pick.with({ field: 'address', value: known.id }),
        ),
      ),
      { shuffle: true },
    ),
    form(
      'Delivery method',
      deliveries.map(method =>
        radio(deliveryLabels[method], method === delivery, pick.with({ field: 'delivery', value: method })),
      ),
      { shuffle: true },
    ),
    form(
      'Payment',
      payments.map(method => radio(method, method === payment, pick.with({ field: 'payment', value: method }))),
      { shuffle: true },
    ),
    couponForm(shop),
    form('Gift', [textbox('Gift note', gift, { enter: typingGift })]),
    ...totalLines(shop, delivery),
    button('Place order', placeOrder.with({ address, delivery, payment, gift })),
  ]);
}

const deliveryLabels = Object.fromEntries(
  deliveries.map(method => {
    const { fee, freeFrom, days } = deliveryTerms[method];
    const time = days === 1 ? '1 day' : `${days} days`;
    return [method, `${method}: ${time}, ${money(fee)}, free from ${money(freeFrom)}`];
  }),
) as Readonly<Record<Delivery, string>>;

export function offersScreen(shop: Shop): UiNode {
  return region('Offers', [
    list(
      'Coupons',
      shop.coupons.map(coupon => {
        const expired = coupon.expires < shop.today;
        const problem = expired ? 'Expired' : couponProblem(shop, coupon);
        return listItem(coupon.id, [
          text(couponTerms(coupon)),
          problem !== null && status(problem),
          problem === null && button('Use coupon', applyCoupon.with({ code: coupon.id })),
        ]);
      }),
    ),
  ]);
}

export function wishScreen(shop: Shop): UiNode {
  const shown = paginate(shop.wishes, shop.ui.page, wishesPerPage);
  return region('Wish list', [
    list(
      shown.total === 1 ? '1 wish' : `${shown.total} wishes`,
      shown.items.map(({ product }) => wishEntry(productOf(shop, product))),
    ),
    pager(shown),
  ]);
}

function wishEntry(wished: Product | undefined): Child {
  if (wished === undefined) return null;
  const { id: product, name, price, stock, sizes, colours } = wished;
  const simple = sizes.length === 0 && colours.length === 0;
  return listItem(name, [
    text(`${money(price)}, ${stockText(stock)}`),
    simple && stock > 0
      ? button('Add to cart', addToCart.with({ product, size: null, colour: null, quantity: 1 }))
      : link('See product', openProduct.with({ product })),
    button('Remove', removeWish.with({ product })),
  ]);
}
