import { find } from '../../../worlds/app/table.ts';
import {
  productOf,
  type Address,
  type CartLine,
  type Checkout,
  type Coupon,
  type Delivery,
  type Shop,
} from './state.ts';

/** What delivery costs, from which amount it is free, and how many days it takes. */
export const deliveryTerms: Readonly<Record<Delivery, { fee: number; freeFrom: number; days: number }>> = {
  Standard: { fee: 490, freeFrom: 5000, days: 4 },
  Express: { fee: 990, freeFrom: 20_000, days: 2 },
  'Pick-up point': { fee: 290, freeFrom: 2500, days: 3 },
  Evening: { fee: 1290, freeFrom: 30_000, days: 1 },
};

export interface Totals {
  readonly subtotal: number;
  readonly discount: number;
  readonly fee: number;
  readonly total: number;
}

export function money(cents: number): string {
  const rest = cents % 100;
  return `€${(cents - rest) / 100}.${rest < 10 ? '0' : ''}${rest}`;
}

const dayLength = 86_400_000;

export function addDays(date: string, days: number): string {
  return new Date(Date.parse(date) + days * dayLength).toISOString().slice(0, 10);
}

export function addressLine({ street, postcode, city }: Omit<Address, 'id'>): string {
  return `${street}, ${postcode} ${city}`;
}

/** The checkout form with the defaults of the account where nothing was chosen. */
export function checkoutOf({ ui, addresses, defaultAddress, settings }: Shop): Checkout {
  const { address, delivery, payment, gift } = ui.checkout;
  return {
    address: find(addresses, address ?? '')?.id ?? defaultAddress,
    delivery: delivery ?? settings.delivery,
    payment: payment ?? settings.payment,
    gift,
  };
}

export function activeLines(shop: Shop): CartLine[] {
  return shop.cart.filter(line => !line.saved);
}

export function totalsOf(shop: Shop, delivery: Delivery): Totals {
  const subtotal = worth(shop, null);
  const coupon = find(shop.coupons, shop.coupon ?? '');
  const discount = coupon === undefined || couponProblem(shop, coupon) !== null ? 0 : discountOf(shop, coupon);
  const terms = deliveryTerms[delivery];
  const fee = subtotal - discount >= terms.freeFrom ? 0 : terms.fee;
  return { subtotal, discount, fee, total: subtotal - discount + fee };
}

/** Why a coupon cannot be used on the cart as it is, or null. */
export function couponProblem(shop: Shop, { id, expires, minimum, category }: Coupon): string | null {
  if (expires < shop.today) return `The coupon ${id} expired on ${expires}.`;
  const value = worth(shop, category);
  if (category !== null && value === 0) return `The coupon ${id} is only for ${category}.`;
  if (value < minimum)
    return `The coupon ${id} needs ${money(minimum)} ${category === null ? '' : `of ${category} `}in the cart.`;
  return null;
}

export function couponTerms({ percent, amount, minimum, category, expires }: Coupon): string {
  const worthIt = percent > 0 ? `${percent}% off` : `${money(amount)} off`;
  const where = category === null ? 'everything' : category;
  const from = minimum > 0 ? ` from ${money(minimum)}` : '';
  return `${worthIt} ${where}${from}, until ${expires}`;
}

function discountOf(shop: Shop, { percent, amount, category }: Coupon): number {
  const value = worth(shop, category);
  return Math.min(value, amount + Math.floor((value * percent) / 100));
}

/** What the cart costs, or the part of it that belongs to a category. */
function worth(shop: Shop, category: string | null): number {
  let sum = 0;
  for (const line of shop.cart) {
    if (line.saved) continue;
    const product = productOf(shop, line.product);
    if (product !== undefined && (category === null || product.category === category))
      sum += product.price * line.quantity;
  }
  return sum;
}
