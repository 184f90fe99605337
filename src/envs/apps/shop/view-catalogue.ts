import type { UiNode } from '../../../core/ui.ts';
import {
  button,
  checkbox,
  combobox,
  form,
  heading,
  link,
  list,
  listItem,
  navigation,
  region,
  searchBox,
  status,
  text,
  textbox,
  toolbar,
} from '../../../worlds/app/elements.ts';
import { paginate, type Page } from '../../../worlds/app/table.ts';
import { addWish, deleteReview, removeWish, writeReview } from './account-commands.ts';
import { addToCart } from './cart-commands.ts';
import {
  backToResults,
  choose,
  clearFilters,
  filterBy,
  openProduct,
  openReview,
  rate,
  search,
  showStocked,
  turnPage,
  typeReview,
} from './gestures.ts';
import { money } from './pricing.ts';
import { matchingProducts, reviewsOf } from './queries.ts';
import {
  allCategories,
  categories,
  limits,
  priceBands,
  ratingFloors,
  sortings,
  type Product,
  type Shop,
} from './state.ts';

const productsPerPage = 8;
const reviewsPerPage = 4;
const manyInStock = 5;

const entering = {
  search: search.entering({}),
  category: filterBy.entering({ field: 'category' }),
  price: filterBy.entering({ field: 'price' }),
  rating: filterBy.entering({ field: 'rating' }),
  sort: filterBy.entering({ field: 'sort' }),
  size: choose.entering({ field: 'size' }),
  colour: choose.entering({ field: 'colour' }),
  quantity: choose.entering({ field: 'quantity' }),
  stars: rate.entering({}),
  title: typeReview.entering({ field: 'title' }),
  body: typeReview.entering({ field: 'body' }),
};
const categoryOptions = [allCategories, ...categories];
const starOptions = ['5', '4', '3', '2', '1'];
const counts = Array.from({ length: limits.quantity }, (_, index) => String(index + 1));
/** The quantities on offer for each stock. */
const quantityOptions = counts.map((_, index) => counts.slice(0, index + 1));
const clear = button('Clear filters', clearFilters.with({}));
const back = link('Back to results', backToResults.with({}));

export function catalogueScreen(shop: Shop): UiNode {
  const { filter } = shop.ui;
  const shown = listedProducts(shop);
  return region('Catalogue', [
    searchBox('Find products', [textbox('Search products', filter.text, { enter: entering.search })]),
    toolbar(
      'Filters',
      [
        combobox('Category', filter.category, { enter: entering.category, options: categoryOptions }),
        combobox('Price', filter.price, { enter: entering.price, options: priceBands }),
        combobox('Rating', filter.rating, { enter: entering.rating, options: ratingFloors }),
        combobox('Sort by', filter.sort, { enter: entering.sort, options: sortings }),
        checkbox('In stock only', filter.stocked, showStocked.with({ stocked: !filter.stocked })),
        clear,
      ],
      { shuffle: true },
    ),
    list(shown.total === 1 ? '1 product' : `${shown.total} products`, shown.items.map(productEntry)),
    pager(shown),
  ]);
}

/** The page of products that the catalogue shows. */
export function listedProducts(shop: Shop): Page<Product> {
  return paginate(matchingProducts(shop, shop.ui.filter), shop.ui.page, productsPerPage);
}

function productEntry({ id, name, price, rating, stock }: Product): UiNode {
  return listItem(`${money(price)}, ${stars(rating)}, ${stockText(stock)}`, [
    link(name, openProduct.with({ product: id })),
  ]);
}

export function pager({ page, pages }: Page<unknown>): UiNode | null {
  if (pages === 1) return null;
  return navigation(`Page ${page} of ${pages}`, [
    page > 1 && button('Previous page', turnPage.with({ page: page - 1 })),
    page < pages && button('Next page', turnPage.with({ page: page + 1 })),
  ]);
}

export function productScreen(shop: Shop, product: Product): UiNode {
  const { name, category, about, price, rating, stock } = product;
  return region('Product', [
    back,
    heading(name),
    text(about),
    text(`Category: ${category}`),
    text(`Price: ${money(price)}`),
    text(`Rating: ${stars(rating)}`),
    status(stockText(stock)),
    purchaseForm(shop, product),
    ...reviewList(shop, product),
  ]);
}

function purchaseForm(shop: Shop, { id, sizes, colours, stock }: Product): UiNode {
  const { size, colour, quantity } = shop.ui.choice;
  const wished = shop.wishes.some(({ product }) => product === id);
  const options = quantityOptions[Math.min(stock, limits.quantity) - 1];
  return form(
    'Buy',
    [
      sizes.length > 0 && combobox('Size', size ?? '', { enter: entering.size, options: sizes }),
      colours.length > 0 && combobox('Colour', colour ?? '', { enter: entering.colour, options: colours }),
      options !== undefined && combobox('Quantity', String(quantity), { enter: entering.quantity, options }),
      button('Add to cart', addToCart.with({ product: id, size, colour, quantity }), stock === 0 ? ['disabled'] : []),
      wished
        ? button('Remove from wish list', removeWish.with({ product: id }))
        : button('Add to wish list', addWish.with({ product: id })),
      button('Write a review', openReview.with({ product: id })),
    ],
    { shuffle: true },
  );
}

function reviewList(shop: Shop, { id }: Product): (UiNode | null)[] {
  const shown = paginate(reviewsOf(shop, id), shop.ui.page, reviewsPerPage);
  const { name } = shop.customer;
  return [
    list(
      shown.total === 1 ? '1 review' : `${shown.total} reviews`,
      shown.items.map(review =>
        listItem(`${review.stars === 1 ? '1 star' : `${review.stars} stars`}: ${review.title}`, [
          text(review.body),
          text(`${review.author}, ${review.date}`),
          review.author === name && button('Delete my review', deleteReview.with({ id: review.id })),
        ]),
      ),
    ),
    pager(shown),
  ];
}

export function reviewScreen(shop: Shop, { id, name }: Product): UiNode {
  const { stars: given, title, body } = shop.ui.review;
  return region('Review', [
    heading(`Review of ${name}`),
    form(
      'Your review',
      [
        combobox('Stars', given === 0 ? '' : String(given), { enter: entering.stars, options: starOptions }),
        textbox('Title', title, { enter: entering.title }),
        textbox('Review text', body, { enter: entering.body }),
        button('Publish review', writeReview.with({ product: id, stars: given, title, body })),
      ],
      { shuffle: true },
    ),
    link('Back to product', openProduct.with({ product: id })),
  ]);
}

function stars(tenths: number): string {
  const rest = tenths % 10;
  return `${(tenths - rest) / 10}.${rest} stars`;
}

export function stockText(stock: number): string {
  if (stock === 0) return 'out of stock';
  return stock < manyInStock ? `only ${stock} left` : 'in stock';
}
