import { z } from 'zod';
import { refuse } from '../../../core/errors.ts';
import { need } from '../../../worlds/app/table.ts';
import { activeLines } from './pricing.ts';
import {
  addressFieldNames,
  anyStatus,
  checkoutSchema,
  emptyFilter,
  filterSchema,
  gesture,
  limits,
  returnReasons,
  statuses,
  type Filter,
  type Shop,
} from './state.ts';

const typed = z.object({ value: z.string().max(200, 'at most 200 characters') });

/** What every change of screen clears away. */
const closed = { notice: '', menu: false, dialog: null, reason: null, page: 1 };

export const go = gesture('go', {
  about: 'Go to one of the main screens.',
  input: z.object({ screen: z.enum(['catalogue', 'cart', 'orders', 'wishes', 'offers', 'addresses', 'settings']) }),
  run(draft, { screen }) {
    Object.assign(draft.ui, closed, { screen });
    if (screen === 'catalogue') draft.ui.filter = emptyFilter;
    if (screen === 'orders') Object.assign(draft.ui, { orderText: '', orderStatus: anyStatus });
  },
});

export const search = gesture('search', {
  about: 'Type into the search field.',
  input: z.object({ value: filterSchema.shape.text }),
  run(draft, { value }) {
    narrow(draft, { text: value });
  },
});

export const filterBy = gesture('filter_by', {
  about: 'Choose a category, a price band, a rating or a sorting of the catalogue.',
  input: z.object({ field: z.enum(['category', 'price', 'rating', 'sort']), value: z.string() }),
  run(draft, { field, value }) {
    const parsed = filterSchema.shape[field].safeParse(value);
    narrow(draft, { [field]: parsed.success ? parsed.data : refuse(`"${value}" cannot be chosen.`) });
  },
});

export const showStocked = gesture('show_stocked', {
  about: 'Show only what is in stock, or everything.',
  input: z.object({ stocked: z.boolean() }),
  run(draft, { stocked }) {
    narrow(draft, { stocked });
  },
});

export const clearFilters = gesture('clear_filters', {
  about: 'Show the whole catalogue again.',
  input: z.object({}),
  run(draft) {
    narrow(draft, emptyFilter);
  },
});

export const backToResults = gesture('back_to_results', {
  about: 'Go back to the catalogue with its filters.',
  input: z.object({}),
  run(draft) {
    Object.assign(draft.ui, closed, { screen: 'catalogue' });
  },
});

export const turnPage = gesture('turn_page', {
  about: 'Go to a page of the list.',
  input: z.object({ page: z.int() }),
  run(draft, { page }) {
    draft.ui.page = page;
  },
});

export const openProduct = gesture('open_product', {
  about: 'Open the page of a product.',
  input: z.object({ product: z.string() }),
  run(draft, { product }) {
    const choice = { size: null, colour: null, quantity: 1 };
    Object.assign(draft.ui, closed, { screen: 'product', product, choice });
  },
});

export const choose = gesture('choose', {
  about: 'Choose the size, colour or quantity of the open product.',
  input: z.object({ field: z.enum(['size', 'colour', 'quantity']), value: z.string().max(20) }),
  run(draft, { field, value }) {
    if (field !== 'quantity') draft.ui.choice[field] = value;
    else draft.ui.choice.quantity = Math.min(Math.max(1, Math.trunc(Number(value)) || 1), limits.quantity);
  },
});

export const openReview = gesture('open_review_form', {
  about: 'Begin a review of the open product.',
  input: z.object({ product: z.string() }),
  run(draft, { product }) {
    const review = { stars: 0, title: '', body: '' };
    Object.assign(draft.ui, closed, { screen: 'review', product, review });
  },
});

export const rate = gesture('rate', {
  about: 'Choose the stars of the review.',
  input: z.object({ value: z.enum(['1', '2', '3', '4', '5']) }),
  run(draft, { value }) {
    draft.ui.review.stars = Number(value);
  },
});

export const typeReview = gesture('type_review', {
  about: 'Type the title or the text of the review.',
  input: z.object({ field: z.enum(['title', 'body']), value: z.string().max(400, 'at most 400 characters') }),
  run(draft, { field, value }) {
    draft.ui.review[field] = value;
  },
});

export const typeCoupon = gesture('type_coupon', {
  about: 'Type a coupon code.',
  input: z.object({ value: z.string().max(40, 'a coupon code has at most 40 characters') }),
  run(draft, { value }) {
    draft.ui.coupon = value;
  },
});

export const openCheckout = gesture('open_checkout', {
  about: 'Go on to check out.',
  input: z.object({}),
  run(draft) {
    if (activeLines(draft).length === 0) refuse('The cart is empty.');
    Object.assign(draft.ui, closed, { screen: 'checkout' });
  },
});

export const pick = gesture('pick', {
  about: 'Pick an address, a delivery or a payment for the order.',
  input: z.object({ field: z.enum(['address', 'delivery', 'payment']), value: z.string().max(40) }),
  run(draft, { field, value }) {
    const parsed = checkoutSchema.shape[field].safeParse(value);
    Object.assign(draft.ui.checkout, {
      [field]: parsed.success ? parsed.data : refuse(`"${value}" cannot be picked.`),
    });
  },
});

export const typeGift = gesture('type_gift_note', {
  about: 'Type a gift note for the order.',
  input: typed,
  run(draft, { value }) {
    draft.ui.checkout.gift = value;
  },
});

export const searchOrders = gesture('search_orders', {
  about: 'Type into the search field of the orders.',
  input: z.object({ value: z.string().max(80, 'at most 80 characters') }),
  run(draft, { value }) {
    Object.assign(draft.ui, { orderText: value, page: 1 });
  },
});

export const filterOrders = gesture('filter_orders', {
  about: 'Show the orders of one status, or all.',
  input: z.object({ value: z.enum([anyStatus, ...statuses]) }),
  run(draft, { value }) {
    Object.assign(draft.ui, { orderStatus: value, page: 1 });
  },
});

export const openOrder = gesture('open_order', {
  about: 'Open an order.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    Object.assign(draft.ui, closed, { screen: 'order', order: id });
  },
});

export const toggleMenu = gesture('toggle_menu', {
  about: 'Open or close the menu of the order.',
  input: z.object({ open: z.boolean() }),
  run(draft, { open }) {
    draft.ui.menu = open;
  },
});

export const ask = gesture('ask', {
  about: 'Open a dialog: cancel an order, return an item, or delete an address.',
  input: z.object({ kind: z.enum(['cancel', 'return', 'delete']), id: z.string() }),
  run(draft, { kind, id }) {
    Object.assign(draft.ui, { dialog: { kind, id }, menu: false, reason: null, notice: '' });
  },
});

export const giveReason = gesture('give_reason', {
  about: 'Choose why an item is returned.',
  input: z.object({ value: z.enum(returnReasons) }),
  run(draft, { value }) {
    draft.ui.reason = value;
  },
});

export const closeDialog = gesture('close_dialog', {
  about: 'Close the dialog without doing anything.',
  input: z.object({}),
  run(draft) {
    Object.assign(draft.ui, { dialog: null, reason: null });
  },
});

const blankAddress: Shop['ui']['address'] = { id: null, label: '', name: '', street: '', postcode: '', city: '' };

export const openAddress = gesture('open_address_form', {
  about: 'Write a new address, or change one.',
  input: z.object({ id: z.string().nullable() }),
  run(draft, { id }) {
    const address = id === null ? blankAddress : { ...need(draft.addresses, id, 'address') };
    Object.assign(draft.ui, closed, { screen: 'address', address });
  },
});

export const typeAddress = gesture('type_address', {
  about: 'Type a field of the address.',
  input: z.object({ field: z.enum(addressFieldNames), value: typed.shape.value }),
  run(draft, { field, value }) {
    draft.ui.address[field] = value;
  },
});

export const gestures = [
  go,
  search,
  filterBy,
  showStocked,
  clearFilters,
  backToResults,
  turnPage,
  openProduct,
  choose,
  openReview,
  rate,
  typeReview,
  typeCoupon,
  openCheckout,
  pick,
  typeGift,
  searchOrders,
  filterOrders,
  openOrder,
  toggleMenu,
  ask,
  giveReason,
  closeDialog,
  openAddress,
  typeAddress,
];

function narrow(draft: Shop, filter: Partial<Filter>): void {
  Object.assign(draft.ui, { filter: { ...draft.ui.filter, ...filter }, page: 1, notice: '' });
}
