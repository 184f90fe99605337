import { z } from 'zod';
import { refuse } from '../../../core/errors.ts';
import { find, need, nextId, remove } from '../../../worlds/app/table.ts';
import { addressFields, command, limits, returnReasons, settingNames, settings, type Setting } from './state.ts';

const onProduct = z.object({ product: z.string().describe('id of the product, such as p12') });
const onAddress = z.object({ id: z.string().describe('id of the address, such as a2') });

export const cancelOrder = command('cancel_order', {
  about: 'Cancel an order that is still processing.',
  input: z.object({ id: z.string().describe('number of the order, such as SO-20418') }),
  run(draft, { id }) {
    const order = need(draft.orders, id, 'order');
    if (order.status !== 'Processing') refuse(`Order ${id} is ${order.status.toLowerCase()}: it cannot be cancelled.`);
    order.status = 'Cancelled';
    draft.ui.dialog = null;
    draft.ui.notice = `Order ${id} is cancelled.`;
  },
});

export const returnItem = command('return_item', {
  about: 'Send one item of a delivered order back, with a reason.',
  input: z.object({
    order: z.string().describe('number of the order, such as SO-20418'),
    line: z.string().describe('id of the line in that order, such as l1'),
    reason: z.enum(returnReasons, 'choose a reason'),
  }),
  run(draft, { order, line, reason }) {
    const { status, returnBy, lines } = need(draft.orders, order, 'order');
    const item = need(lines, line, 'item');
    if (status !== 'Delivered' || returnBy === null) refuse('Only delivered items can be returned.');
    if (returnBy < draft.today) refuse(`The time to return it ended on ${returnBy}.`);
    if (item.returned !== null) refuse('It is being returned already.');
    item.returned = reason;
    draft.ui.dialog = null;
    draft.ui.reason = null;
    draft.ui.notice = `The return of ${item.name} is on its way.`;
  },
});

export const addWish = command('add_to_wish_list', {
  about: 'Put a product on the wish list.',
  input: onProduct,
  run(draft, { product }) {
    const { name } = need(draft.products, product, 'product');
    if (draft.wishes.some(wish => wish.product === product)) refuse(`${name} is on the wish list already.`);
    if (draft.wishes.length >= limits.wishes) refuse('The wish list is full.');
    draft.wishes.push({ id: nextId(draft.wishes, 'w'), product });
    draft.ui.notice = `${name} is on the wish list.`;
  },
});

export const removeWish = command('remove_from_wish_list', {
  about: 'Take a product off the wish list.',
  input: onProduct,
  run(draft, { product }) {
    const { name } = need(draft.products, product, 'product');
    const wish = draft.wishes.find(known => known.product === product) ?? refuse(`${name} is not on the wish list.`);
    remove(draft.wishes, wish.id);
    draft.ui.notice = `${name} is off the wish list.`;
  },
});

export const writeReview = command('write_review', {
  about: 'Publish a review of a product with one to five stars.',
  input: z.object({
    product: onProduct.shape.product,
    stars: z.int().min(1, 'choose 1 to 5 stars').max(5, 'choose 1 to 5 stars'),
    title: z.string().trim().min(3, 'write a title').max(80, 'keep the title under 80 characters'),
    body: z.string().trim().min(3, 'write what you think of it').max(400, 'keep the review under 400 characters'),
  }),
  run(draft, { product, stars, title, body }) {
    need(draft.products, product, 'product');
    const id = `own-${product}`;
    if (find(draft.reviews, id) !== undefined) refuse('You have reviewed this product: delete that review first.');
    draft.reviews.push({ id, product, author: draft.customer.name, stars, title, body, date: draft.today });
    draft.ui.review = { stars: 0, title: '', body: '' };
    Object.assign(draft.ui, { screen: 'product', product, page: 1, notice: 'Thank you for the review.' });
  },
});

export const deleteReview = command('delete_review', {
  about: 'Delete a review that you wrote.',
  input: z.object({ id: z.string().describe('id of your review, such as own-p12') }),
  run(draft, { id }) {
    if (need(draft.reviews, id, 'review').author !== draft.customer.name)
      refuse('Only your own reviews can be deleted.');
    remove(draft.reviews, id);
    draft.ui.notice = 'The review is deleted.';
  },
});

export const addAddress = command('add_address', {
  about: 'Add an address to the address book.',
  input: z.object(addressFields),
  run(draft, fields) {
    if (draft.addresses.length >= limits.addresses) refuse('The address book is full.');
    if (draft.addresses.some(({ label }) => label === fields.label))
      refuse(`There is an address "${fields.label}" already.`);
    const id = nextId(draft.addresses, 'a');
    draft.addresses.push({ id, ...fields });
    Object.assign(draft.ui, { screen: 'addresses', notice: `${fields.label} is in the address book.` });
    return { id };
  },
});

export const editAddress = command('edit_address', {
  about: 'Change an address of the address book.',
  input: z.object({ id: onAddress.shape.id, ...addressFields }),
  run(draft, { id, ...fields }) {
    const address = need(draft.addresses, id, 'address');
    if (draft.addresses.some(other => other.id !== id && other.label === fields.label)) {
      refuse(`There is an address "${fields.label}" already.`);
    }
    Object.assign(address, fields);
    Object.assign(draft.ui, { screen: 'addresses', notice: `${fields.label} is changed.` });
  },
});

export const makeDefaultAddress = command('make_default_address', {
  about: 'Have parcels go to this address unless told otherwise.',
  input: onAddress,
  run(draft, { id }) {
    const { label } = need(draft.addresses, id, 'address');
    draft.defaultAddress = id;
    draft.ui.notice = `${label} is the default address.`;
  },
});

export const deleteAddress = command('delete_address', {
  about: 'Delete an address that is not the default one.',
  input: onAddress,
  run(draft, { id }) {
    const { label } = need(draft.addresses, id, 'address');
    if (draft.defaultAddress === id) refuse('Make another address the default before deleting this one.');
    remove(draft.addresses, id);
    draft.ui.dialog = null;
    draft.ui.notice = `${label} is deleted.`;
  },
});

export const changeSetting = command('change_setting', {
  about: `Change a setting of the account. ${settingNames.map(name => `${name}: ${settings[name].values.join(', ')}`).join('. ')}.`,
  input: z.object({ setting: z.enum(settingNames), value: z.string().max(40).describe('one of the values listed') }),
  run(draft, { setting, value }) {
    const { label } = settings[setting];
    const values: readonly string[] = settings[setting].values;
    if (!values.includes(value)) refuse(`${label} can be ${values.join(', ')}.`);
    Object.assign(draft.settings, { [setting]: value } satisfies Partial<Record<Setting, string>>);
    draft.ui.notice = `${label} is set to ${value}.`;
  },
});

export const accountCommands = [
  cancelOrder,
  returnItem,
  addWish,
  removeWish,
  writeReview,
  deleteReview,
  addAddress,
  editAddress,
  makeDefaultAddress,
  deleteAddress,
  changeSetting,
];
