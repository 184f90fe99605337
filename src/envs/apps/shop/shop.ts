import type { UiNode } from '../../../core/ui.ts';
import { defineApp } from '../../../worlds/app/app.ts';
import { alert, banner, link, navigation, page, status } from '../../../worlds/app/elements.ts';
import { find } from '../../../worlds/app/table.ts';
import { shopAccountTemplates } from '../held-out-2/shop-account.ts';
import { shopCartTemplates } from '../held-out-2/shop-cart.ts';
import { shopThirdSet } from '../held-out-3/shop.ts';
import { accountCommands } from './account-commands.ts';
import { cartCommands } from './cart-commands.ts';
import { gestures, go } from './gestures.ts';
import { queries } from './queries.ts';
import { seedShop } from './seed.ts';
import { productOf, screens, shopSchema, type Shop } from './state.ts';
import { accountTemplates } from './templates-account.ts';
import { shoppingTemplates } from './templates-shopping.ts';
import {
  addressesScreen,
  addressScreen,
  openDialog,
  ordersScreen,
  orderScreen,
  settingsScreen,
} from './view-account.ts';
import { cartScreen, checkoutScreen, offersScreen, wishScreen } from './view-cart.ts';
import { catalogueScreen, productScreen, reviewScreen } from './view-catalogue.ts';

const places = [
  ['Shop', 'catalogue'],
  ['Offers', 'offers'],
  ['Wish list', 'wishes'],
  ['Cart', 'cart'],
  ['Orders', 'orders'],
  ['Address book', 'addresses'],
  ['Account settings', 'settings'],
] as const;

/** The navigation of each screen, drawn once. */
const navigations = Object.fromEntries(
  screens.map(current => [
    current,
    navigation(
      'Main',
      places.map(([name, screen]) =>
        link(name, go.with({ screen }), ...(screen === current ? [['current'] as const] : [])),
      ),
      { shuffle: true },
    ),
  ]),
) as Readonly<Record<(typeof screens)[number], UiNode>>;

function view(shop: Shop): UiNode {
  const { notice, screen } = shop.ui;
  let count = 0;
  for (const line of shop.cart) if (!line.saved) count += line.quantity;
  return page('Espalier Shop', [
    banner('Top', [navigations[screen], status(count === 1 ? '1 piece in the cart' : `${count} pieces in the cart`)]),
    notice !== '' && alert(notice),
    openDialog(shop) || screenOf(shop),
  ]);
}

/** What is open may be gone by now: then the list it came from is shown. */
function screenOf(shop: Shop): UiNode {
  const { screen } = shop.ui;
  if (screen === 'product' || screen === 'review') {
    const product = productOf(shop, shop.ui.product);
    if (product === undefined) return catalogueScreen(shop);
    return screen === 'product' ? productScreen(shop, product) : reviewScreen(shop, product);
  }
  if (screen === 'order') {
    const order = find(shop.orders, shop.ui.order);
    return order === undefined ? ordersScreen(shop) : orderScreen(shop, order);
  }
  return plainScreens[screen](shop);
}

const plainScreens = {
  catalogue: catalogueScreen,
  cart: cartScreen,
  checkout: checkoutScreen,
  orders: ordersScreen,
  wishes: wishScreen,
  offers: offersScreen,
  addresses: addressesScreen,
  address: addressScreen,
  settings: settingsScreen,
} satisfies Partial<Record<(typeof screens)[number], (shop: Shop) => UiNode>>;

const synonyms = {
  Shop: ['Products', 'Browse'],
  Offers: ['Coupons and offers', 'Deals'],
  'Wish list': ['Favourites', 'Wishes'],
  Cart: ['Basket', 'Shopping bag'],
  Orders: ['My orders', 'Order history'],
  'Address book': ['Addresses', 'My addresses'],
  'Account settings': ['Preferences', 'My account'],
  'Add to cart': ['Add to basket', 'Put into cart'],
  'Add to wish list': ['Save to favourites', 'Add to favourites'],
  'Remove from wish list': ['Remove from favourites', 'Not a favourite any more'],
  'Write a review': ['Rate this product', 'Review it'],
  'Publish review': ['Submit review', 'Post review'],
  'Save for later': ['Keep for later', 'Set aside'],
  'Move to cart': ['Return to cart', 'Buy it after all'],
  Remove: ['Take out', 'Drop'],
  'Apply coupon': ['Use code', 'Redeem'],
  'Check out': ['Go to checkout', 'Continue to checkout'],
  'Place order': ['Buy now', 'Confirm order'],
  'Order actions': ['More', 'Manage order'],
  'Cancel order': ['Call off order', 'Stop this order'],
  'Buy again': ['Reorder', 'Order again'],
  'Yes, cancel it': ['Confirm cancellation', 'Cancel the order'],
  'Return item': ['Send back', 'Start a return'],
  'Send it back': ['Confirm return', 'Submit return'],
  'Add address': ['New address', 'Create address'],
  'Make default': ['Use as default', 'Set as default'],
  'Save address': ['Save', 'Store address'],
  'Delete address': ['Yes, delete', 'Confirm deletion'],
  'Clear filters': ['Reset filters', 'Show everything'],
  'In stock only': ['Available now', 'Hide what is sold out'],
};

export const shop = defineApp({
  id: 'shop',
  title: 'Shop',
  about: 'An online shop as a customer sees it: products, reviews, a cart, coupons, orders and an account.',
  state: shopSchema,
  init: seedShop,
  commands: [...cartCommands, ...accountCommands, ...queries, ...gestures],
  view,
  heldOutCommands: {
    never: ['delete_address', 'edit_address', 'make_default_address', 'move_to_cart', 'remove_coupon', 'return_item'],
    notAlone: ['cancel_order', 'change_quantity'],
  },
  templates: [
    ...shoppingTemplates,
    ...accountTemplates,
    ...shopCartTemplates,
    ...shopAccountTemplates,
    ...shopThirdSet,
  ],
  phrases: {
    change_quantity: ['Set the quantity of {id} to {value}', 'Change the quantity of {id} to {value}'],
    remove_from_cart: ['Take {id} out of the cart', 'Remove {id} from the cart'],
    save_for_later: ['Save {id} for later', 'Set {id} aside for later'],
    move_to_cart: ['Put {id} back into the cart', 'Move {id} from the saved things back to the cart'],
    apply_coupon: ['Use {code} on the cart', 'Redeem {code} for what is in the cart'],
    place_order: [
      'Buy what is in the cart, sent to {address} with the delivery {delivery} and paid by {payment}',
      'Order what is in the cart. It goes to {address}, delivery {delivery}, payment {payment}',
    ],
    return_item: ['Return {line} with the reason {reason}', 'Send {line} back. The reason is {reason}'],
    make_default_address: ['Make {id} the default address', 'Have parcels go to {id} by default'],
  },
  undoable: ['/cart', '/wishes', '/addresses'],
  synonyms,
  onRefusal(draft, message) {
    draft.ui.notice = message;
  },
});
