import { unknownEnvironment } from '../../core/errors.ts';
import { placeIn, type Family } from '../../worlds/family.ts';

/** `maze:all`, or `maze:8,3`: mazes whose way is exactly so long and has exactly so many turns. */
export const mazeFamily: Family = {
  name: 'maze:',
  usage: 'maze:all or maze:<length>,<turns>',
  example: 'maze:all',
  about: 'Mazes that are walked, with the length of the way and its turns as asked for.',
  async open(name) {
    const place = placeIn(name);
    const { createMazeEnvironment, mazeBaselines } = await import('./maze-environment.ts');
    const ladder = { baselines: mazeBaselines };
    if (place === 'all') return { environment: createMazeEnvironment(null), ladder };
    const [, length = '', turns = ''] = /^(\d{1,2}),(\d{1,2})$/.exec(place) ?? [];
    const size = { length: Number(length), turns: Number(turns) };
    if (length === '' || size.length < 2 || size.length > 40 || size.turns >= size.length)
      throw unknownEnvironment(
        `There are no mazes "${name}".`,
        'Expected maze:all, or maze:<length>,<turns> with a length from 2 to 40 and fewer turns than steps, such as maze:8,3.',
      );
    return { environment: createMazeEnvironment(size), ladder };
  },
};
