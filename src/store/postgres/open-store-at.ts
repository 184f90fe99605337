import { openStore, type Store, type StoreOptions } from '../store.ts';
import { isPostgres } from './address.ts';
import { openPostgresStore } from './store.ts';

/** Opens a store by its path or its address. */
export function openStoreAt(options: StoreOptions): Store {
  return isPostgres(options.path) ? openPostgresStore(options) : openStore(options);
}
