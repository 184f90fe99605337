import { z } from 'zod';
import { appKit } from '../../../worlds/app/app.ts';

export const categories = [
  'Kitchen',
  'Clothing',
  'Shoes',
  'Books',
  'Electronics',
  'Garden',
  'Toys',
  'Sports',
] as const satisfies readonly string[];
export const deliveries = ['Standard', 'Express', 'Pick-up point', 'Evening'] as const;
export const payments = ['Visa', 'Mastercard', 'PayPal', 'Invoice'] as const;
export const statuses = ['Processing', 'Shipped', 'Delivered', 'Cancelled'] as const;
export const returnReasons = [
  'Does not fit',
  'Damaged',
  'Not as described',
  'Changed my mind',
  'Arrived too late',
] as const;
export const priceBands = ['Any price', 'Under €25', '€25 to €50', '€50 to €100', 'Over €100'] as const;
export const ratingFloors = ['Any rating', '3.5 stars and up', '4 stars and up', '4.5 stars and up'] as const;
export const sortings = ['Featured', 'Price: low to high', 'Price: high to low', 'Best rated', 'Newest'] as const;
export const allCategories = 'All categories';
export const anyStatus = 'Any status';

/** What a customer can set: the words on screen and the values each setting takes. */
export const settings = {
  language: { label: 'Language', values: ['English', 'German', 'French', 'Spanish', 'Dutch', 'Italian'] },
  newsletter: { label: 'Newsletter', values: ['Never', 'Weekly', 'Monthly'] },
  updates: { label: 'Order updates', values: ['Email', 'Text message', 'Email and text message', 'None'] },
  delivery: { label: 'Default delivery', values: deliveries },
  payment: { label: 'Default payment', values: payments },
  priceAlerts: { label: 'Price drop alerts', values: ['On', 'Off'] },
  stockAlerts: { label: 'Back in stock alerts', values: ['On', 'Off'] },
  reviewReminders: { label: 'Review reminders', values: ['On', 'Off'] },
  recommendations: { label: 'Personal recommendations', values: ['On', 'Off'] },
} as const;
export type Setting = keyof typeof settings;
export const settingNames = Object.keys(settings) as [Setting, ...Setting[]];

export const limits = { quantity: 10, cartLines: 8, savedLines: 6, addresses: 10, wishes: 30 } as const;

const productSchema = z.object({
  id: z.string(),
  name: z.string(),
  category: z.enum(categories),
  about: z.string(),
  /** In cents, like every amount of money here. */
  price: z.int().positive(),
  /** In tenths of a star. */
  rating: z.int().min(10).max(50),
  stock: z.int().min(0),
  sizes: z.array(z.string()),
  colours: z.array(z.string()),
});

const quantity = z.int().min(1).max(limits.quantity);
const variant = { product: z.string(), size: z.string().nullable(), colour: z.string().nullable(), quantity };

const cartLineSchema = z.object({ id: z.string(), ...variant, saved: z.boolean() });

const orderLineSchema = z.object({
  id: z.string(),
  ...variant,
  /** Name and price as they were when the order was placed. */
  name: z.string(),
  price: z.int(),
  returned: z.enum(returnReasons).nullable(),
});

const orderSchema = z.object({
  id: z.string(),
  placed: z.string(),
  status: z.enum(statuses),
  lines: z.array(orderLineSchema),
  address: z.string(),
  delivery: z.enum(deliveries),
  payment: z.enum(payments),
  gift: z.string(),
  coupon: z.string().nullable(),
  discount: z.int().min(0),
  fee: z.int().min(0),
  total: z.int().min(0),
  /** The day of delivery: expected, or actual once delivered. */
  due: z.string(),
  returnBy: z.string().nullable(),
});

const couponSchema = z.object({
  /** The code itself. */
  id: z.string(),
  percent: z.int().min(0).max(100),
  amount: z.int().min(0),
  minimum: z.int().min(0),
  category: z.enum(categories).nullable(),
  expires: z.string(),
});

export const addressFields = {
  label: z.string().trim().min(1, 'give the address a label such as Home').max(30),
  name: z.string().trim().min(1, 'name the recipient').max(60),
  street: z.string().trim().min(3, 'enter street and number').max(80),
  postcode: z.string().trim().min(3, 'enter a postcode').max(12),
  city: z.string().trim().min(2, 'enter a city').max(40),
};
export type AddressField = keyof typeof addressFields;
export const addressFieldNames = Object.keys(addressFields) as [AddressField, ...AddressField[]];

const addressSchema = z.object({ id: z.string(), ...addressFields });
const typedAddress = z.object({
  /** Null while a new address is written. */
  id: z.string().nullable(),
  label: z.string().max(200),
  name: z.string().max(200),
  street: z.string().max(200),
  postcode: z.string().max(200),
  city: z.string().max(200),
});

const reviewSchema = z.object({
  id: z.string(),
  product: z.string(),
  author: z.string(),
  stars: z.int().min(1).max(5),
  title: z.string().max(80),
  body: z.string().max(400),
  date: z.string(),
});

const settingsSchema = z.object({
  language: z.enum(settings.language.values),
  newsletter: z.enum(settings.newsletter.values),
  updates: z.enum(settings.updates.values),
  delivery: z.enum(settings.delivery.values),
  payment: z.enum(settings.payment.values),
  priceAlerts: z.enum(settings.priceAlerts.values),
  stockAlerts: z.enum(settings.stockAlerts.values),
  reviewReminders: z.enum(settings.reviewReminders.values),
  recommendations: z.enum(settings.recommendations.values),
});

export const filterSchema = z.object({
  text: z.string().max(80, 'at most 80 characters'),
  category: z.enum([allCategories, ...categories]),
  price: z.enum(priceBands),
  rating: z.enum(ratingFloors),
  stocked: z.boolean(),
  sort: z.enum(sortings),
});

export const screens = [
  'catalogue',
  'product',
  'review',
  'cart',
  'checkout',
  'orders',
  'order',
  'wishes',
  'offers',
  'addresses',
  'address',
  'settings',
] as const;

export const checkoutSchema = z.object({
  address: z.string(),
  delivery: z.enum(deliveries),
  payment: z.enum(payments),
  gift: z.string().max(200),
});

const uiSchema = z.object({
  screen: z.enum(screens),
  notice: z.string(),
  menu: z.boolean(),
  dialog: z.object({ kind: z.enum(['cancel', 'return', 'delete']), id: z.string() }).nullable(),
  reason: z.enum(returnReasons).nullable(),
  filter: filterSchema,
  /** Of whichever list is shown. */
  page: z.int(),
  product: z.string(),
  choice: z.object({ size: z.string().nullable(), colour: z.string().nullable(), quantity }),
  review: z.object({ stars: z.int().min(0).max(5), title: z.string().max(400), body: z.string().max(400) }),
  coupon: z.string().max(40),
  /** What is null is not chosen: the default of the account stands. */
  checkout: z.object({
    address: z.string().nullable(),
    delivery: z.enum(deliveries).nullable(),
    payment: z.enum(payments).nullable(),
    gift: z.string().max(200),
  }),
  order: z.string(),
  orderText: z.string().max(80),
  orderStatus: z.enum([anyStatus, ...statuses]),
  address: typedAddress,
});

export const shopSchema = z.object({
  today: z.string(),
  customer: z.object({ name: z.string(), email: z.string() }),
  products: z.array(productSchema),
  reviews: z.array(reviewSchema),
  cart: z.array(cartLineSchema),
  /** Code of the coupon used on the cart. */
  coupon: z.string().nullable(),
  coupons: z.array(couponSchema),
  orders: z.array(orderSchema),
  wishes: z.array(z.object({ id: z.string(), product: z.string() })),
  addresses: z.array(addressSchema),
  defaultAddress: z.string(),
  settings: settingsSchema,
  ui: uiSchema,
});

export type Shop = z.infer<typeof shopSchema>;
export type Product = Shop['products'][number];
export type CartLine = Shop['cart'][number];
export type Order = Shop['orders'][number];
export type OrderLine = Order['lines'][number];
export type Coupon = Shop['coupons'][number];
export type Address = Shop['addresses'][number];
export type Filter = z.infer<typeof filterSchema>;
export type Checkout = z.infer<typeof checkoutSchema>;
export type Delivery = (typeof deliveries)[number];

export const { command, gesture, query, template } = appKit(shopSchema);

/** Products stand in the order of their numbers, so the first look is right. */
export function productOf({ products }: Shop, id: string): Product | undefined {
  const guess = products[Number(id.slice(1)) - 1];
  return guess?.id === id ? guess : products.find(product => product.id === id);
}

export const emptyCheckout: Shop['ui']['checkout'] = { address: null, delivery: null, payment: null, gift: '' };

export const emptyFilter: Filter = {
  text: '',
  category: allCategories,
  price: 'Any price',
  rating: 'Any rating',
  stocked: false,
  sort: 'Featured',
};
