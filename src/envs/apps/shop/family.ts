import { appSource, type AppFamily } from '../../../worlds/family.ts';

export const shopFamily: AppFamily = {
  name: 'shop',
  about: 'Products, reviews, a cart, coupons, orders.',
  open: async () => appSource((await import('./shop.ts')).shop),
};
