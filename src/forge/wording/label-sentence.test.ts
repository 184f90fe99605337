import { describe, expect, it } from 'vitest';
import { createMadeUpApp } from '../../envs/synth/made-up-app.ts';
import { wideSpec } from '../../envs/synth/wide/draw/wide-spec.ts';
import { createWorld } from '../../worlds/world.ts';
import { forgeApp } from '../forge-app.ts';
import { headOf } from './about-sentence.ts';
import { namedMembers } from './label-sentence.ts';

describe('sentences of labels', () => {
  it.each([
    ['Open: a hall.', 'Open a hall'],
    ['Take down: several exhibits.', 'Take several exhibits down'],
    ['Put on sale: a batch.', 'Put a batch on sale'],
    ['Have restored: an exhibit.', 'Have an exhibit restored'],
    ['Finish restoring: an exhibit.', 'Finish restoring an exhibit'],
    ['Look into: a request.', 'Look into a request'],
    ['Look at again: a tenant.', 'Look at a tenant again'],
    ['Blow the whistle on: a match.', 'Blow the whistle on a match'],
    ['Save donor: an exhibit, with donor.', 'Change the donor of an exhibit'],
    ['Set date: a press, with serviced.', 'Set the date of a press'],
    ['Modify: an exhibit, with code, hall, estimate.', 'Change the details of an exhibit'],
    ['Plan a visit: an exhibit, with visitor, day.', 'Plan a visit for an exhibit'],
    ['Send a crew to: a request, with crew.', 'Send a crew to a request'],
    ['Give a new name: a meeting, with heading.', 'Rename a meeting'],
    ['Post comment: a singer, with comment.', 'Post a comment on a singer'],
    ['Add tag: a programme, with tag.', 'Add a tag to a programme'],
    ['Leave a rating: a teacher, with opinion, stars.', 'Leave a rating for a teacher'],
    ['Correct parking: a location, with parking.', 'Change the parking of a location'],
    ['New reminder: a field, with about, day.', 'Create a reminder for a field'],
    ['Plan a scene: from Written to Scheduled.', 'Plan a scene'],
  ])('[FORGE-33] %s reads: %s', (about, sentence) => {
    expect(headOf(about)).toBe(sentence);
  });

  it('[FORGE-33] members go by what the author calls them', () => {
    const names = namedMembers('Modify: an exhibit, with code, estimate.', ['id', 'code', 'value']);
    expect(Object.fromEntries(names)).toEqual({ code: 'code', value: 'estimate' });
  });

  it('[FORGE-33] instructions of an app of labels name what is done to which record', () => {
    const app = createMadeUpApp(wideSpec(311));
    const world = createWorld(forgeApp(app, { kinds: ['commands'] }));
    const said = world.templates.flatMap(({ id }) => [1, 2].map(seed => world.task(id, seed).instruction));
    expect(
      said.filter(text => /^(?:Please |Your task: )?(?!Create|Make|Set up)[\w ]+? for (?:the |")/.test(text)),
    ).toEqual([]);
  });
});
