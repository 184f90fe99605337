import type { Signal } from './signal.ts';

/** Where a teacher saw the first mistake. */
export const firstRejected: Signal = {
  name: 'first-rejected',
  about: 'The first step that the teacher rejected, with the number of steps before it.',
  labels: { rejected: 'step' },
  *annotate({ reviews, tree }) {
    const review = reviews.find(({ accept }) => !accept);
    if (review === undefined || review.at === null) return;
    const before = tree.path(review.at).length - 1;
    yield {
      node: review.at,
      label: 'rejected',
      value: before,
      ...(review.reason === null ? {} : { note: review.reason }),
    };
  },
};
