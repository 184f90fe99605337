import { defineTeacher } from '../agent-entry.ts';
import { openSearch, searchNamed, searchSchema, searchUsage } from '../search/search-config.ts';

export const search = defineTeacher({
  name: 'search',
  usage: searchUsage,
  about: 'Tries steps until the verifier passes; works in pages of others, too.',
  config: searchSchema,
  read: searchNamed,
  async open(config) {
    const { createSearchTeacher } = await import('../../../agents/page-search/search-agents.ts');
    const options = await openSearch(config);
    return { make: () => createSearchTeacher(options()) };
  },
});
