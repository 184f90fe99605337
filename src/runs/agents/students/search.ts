import { defineStudent } from '../agent-entry.ts';
import { openSearch, searchNamed, searchSchema, searchUsage } from '../search/search-config.ts';

export const search = defineStudent({
  name: 'search',
  usage: searchUsage,
  about: 'Tries steps until the verifier passes, likely ones first; its steps are demonstrations, not a student’s.',
  config: searchSchema,
  read: searchNamed,
  async open(config) {
    const { createSearchPolicy } = await import('../../../agents/page-search/search-agents.ts');
    const options = await openSearch(config);
    return { make: () => createSearchPolicy(options()) };
  },
});
