import type { UiNode } from '../../../core/ui.ts';
import {
  button,
  combobox,
  dialog,
  form,
  heading,
  link,
  list,
  listItem,
  menu,
  menuItem,
  region,
  searchBox,
  status,
  switchButton,
  text,
  textbox,
  type Child,
} from '../../../worlds/app/elements.ts';
import { find, paginate } from '../../../worlds/app/table.ts';
import {
  addAddress,
  cancelOrder,
  changeSetting,
  deleteAddress,
  editAddress,
  makeDefaultAddress,
  returnItem,
} from './account-commands.ts';
import { reorder } from './cart-commands.ts';
import {
  ask,
  closeDialog,
  filterOrders,
  giveReason,
  go,
  openAddress,
  openOrder,
  openProduct,
  searchOrders,
  toggleMenu,
  typeAddress,
} from './gestures.ts';
import { addressLine, money } from './pricing.ts';
import { matchingOrders } from './queries.ts';
import {
  addressFieldNames,
  anyStatus,
  returnReasons,
  settingNames,
  settings,
  statuses,
  type Address,
  type AddressField,
  type Order,
  type OrderLine,
  type Setting,
  type Shop,
} from './state.ts';
import { variantText } from './view-cart.ts';
import { pager } from './view-catalogue.ts';

const ordersPerPage = 8;
const searching = searchOrders.entering({});
const filtering = filterOrders.entering({});
const reasoning = giveReason.entering({});
const statusOptions = [anyStatus, ...statuses];
const toOrders = link('Back to orders', go.with({ screen: 'orders' }));
const toAddresses = link('Back to address book', go.with({ screen: 'addresses' }));
const newAddress = button('Add address', openAddress.with({ id: null }));
const keep = button('Keep it', closeDialog.with({}));

export function ordersScreen(shop: Shop): UiNode {
  const { orderText, orderStatus, page } = shop.ui;
  const shown = paginate(matchingOrders(shop, { text: orderText, status: orderStatus }), page, ordersPerPage);
  return region('Orders', [
    searchBox('Find orders', [textbox('Search orders by product or number', orderText, { enter: searching })]),
    combobox('Order status', orderStatus, { enter: filtering, options: statusOptions }),
    list(
      shown.total === 1 ? '1 order' : `${shown.total} orders`,
      shown.items.map(({ id, placed, status: now, lines }) =>
        listItem(`Placed ${placed}, ${now}, ${lines.length === 1 ? '1 product' : `${lines.length} products`}`, [
          link(`Order ${id}`, openOrder.with({ id })),
        ]),
      ),
    ),
    pager(shown),
  ]);
}

export function orderScreen(shop: Shop, order: Order): UiNode {
  const { id, placed, status: now, address, delivery, payment, gift, coupon, discount, fee, total, due } = order;
  const open = shop.ui.menu;
  return region('Order', [
    toOrders,
    heading(`Order ${id}`),
    text(`Placed on ${placed}`),
    status(now),
    now !== 'Cancelled' && text(`${now === 'Delivered' ? 'Delivered' : 'Delivery expected'} on ${due}`),
    button('Order actions', toggleMenu.with({ open: !open }), open ? ['expanded'] : []),
    open &&
      menu(
        'Order actions',
        [
          menuItem('Buy again', reorder.with({ id })),
          now === 'Processing' && menuItem('Cancel order', ask.with({ kind: 'cancel', id })),
        ],
        { shuffle: true },
      ),
    list(
      'Products',
      order.lines.map(line => orderEntry(shop, { order, line })),
    ),
    text(`${delivery} delivery to ${address}: ${fee === 0 ? 'free' : money(fee)}`),
    coupon !== null && text(`Coupon ${coupon}: ${money(discount)} off`),
    text(`Total: ${money(total)}, paid by ${payment}`),
    gift !== '' && text(`Gift note: ${gift}`),
    now === 'Delivered' && text(`Returns until ${order.returnBy ?? due}`),
  ]);
}

function orderEntry({ today }: Shop, { order, line }: { order: Order; line: OrderLine }): UiNode {
  const { product, name, quantity, price, returned } = line;
  const open = order.status === 'Delivered' && order.returnBy !== null && order.returnBy >= today;
  return listItem(name, [
    text(`${quantity} at ${money(price)} each${variantText(line)}`),
    link('See product', openProduct.with({ product })),
    returned !== null && status(`Returned: ${returned}`),
    returned === null && open && button('Return item', ask.with({ kind: 'return', id: line.id })),
  ]);
}

export function addressesScreen(shop: Shop): UiNode {
  return region('Address book', [
    newAddress,
    list(
      'Addresses',
      shop.addresses.map(address => addressEntry(address, address.id === shop.defaultAddress)),
    ),
  ]);
}

function addressEntry(address: Address, isDefault: boolean): UiNode {
  const { id, label, name } = address;
  return listItem(label, [
    text(`${name}, ${addressLine(address)}`),
    isDefault && status('Default address'),
    button('Edit', openAddress.with({ id })),
    !isDefault && button('Make default', makeDefaultAddress.with({ id })),
    !isDefault && button('Delete', ask.with({ kind: 'delete', id })),
  ]);
}

const addressLabels: Readonly<Record<AddressField, string>> = {
  label: 'Label',
  name: 'Recipient',
  street: 'Street and number',
  postcode: 'Postcode',
  city: 'City',
};

export function addressScreen({ ui }: Shop): UiNode {
  const { id, ...fields } = ui.address;
  return region(id === null ? 'New address' : 'Change address', [
    toAddresses,
    form(
      'Address',
      addressFieldNames.map(field =>
        textbox(addressLabels[field], fields[field], { enter: typeAddress.entering({ field }) }),
      ),
      { shuffle: true },
    ),
    button('Save address', id === null ? addAddress.with(fields) : editAddress.with({ id, ...fields })),
  ]);
}

export function settingsScreen(shop: Shop): UiNode {
  return region('Account settings', [
    text(`${shop.customer.name}, ${shop.customer.email}`),
    form(
      'Preferences',
      settingNames.map(setting => settingControl(setting, shop.settings[setting])),
      { shuffle: true },
    ),
  ]);
}

function settingControl(setting: Setting, value: string): UiNode {
  const { label, values } = settings[setting];
  if (values.length > 2) return combobox(label, value, { enter: changeSetting.entering({ setting }), options: values });
  return switchButton(label, value === 'On', changeSetting.with({ setting, value: value === 'On' ? 'Off' : 'On' }));
}

/** The dialog that is open, as long as what it asks about exists. */
export function openDialog(shop: Shop): Child {
  const asked = shop.ui.dialog;
  if (asked === null) return null;
  const { id } = asked;
  if (asked.kind === 'delete') {
    const address = find(shop.addresses, id);
    if (address === undefined) return null;
    return dialog(`Delete the address ${address.label}?`, [button('Delete address', deleteAddress.with({ id })), keep]);
  }
  if (asked.kind === 'return') return returnDialog(shop, id);
  if (find(shop.orders, id) === undefined) return null;
  return dialog(`Cancel order ${id}?`, [button('Yes, cancel it', cancelOrder.with({ id })), keep]);
}

function returnDialog({ orders, ui }: Shop, line: string): Child {
  const { order, reason } = ui;
  const item = find(find(orders, order)?.lines ?? [], line);
  if (item === undefined) return null;
  return dialog(`Return ${item.name}`, [
    combobox('Reason', reason ?? '', { enter: reasoning, options: returnReasons }),
    button('Send it back', { command: returnItem.name, input: { order, line, reason } }),
    keep,
  ]);
}
