import { join } from 'node:path';

// Its packages lie in the folder around it.
export default {
  output: 'export',
  images: { unoptimized: true },
  turbopack: { root: join(import.meta.dirname, '..') },
};
