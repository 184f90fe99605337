import { describe, expect, it } from 'vitest';
import type { Json } from '../../../core/json.ts';
import { createWorld } from '../../../worlds/world.ts';
import { createSynthApp } from '../app/synth-app.ts';
import { readSpec } from './read-spec.ts';

/** The least that makes an app. */
const clinic = {
  id: 'my-clinic',
  title: 'My clinic',
  about: 'Patients and doctors.',
  entities: [
    {
      id: 'patient',
      table: 'patients',
      singular: 'patient',
      plural: 'patients',
      title: 'name',
      records: 8,
      fields: [
        {
          id: 'name',
          label: 'Name',
          type: 'text',
          required: true,
          values: [
            ['Ada', 'Ben', 'Cleo', 'Dan'],
            ['Moss', 'Reed', 'Stone', 'Hill'],
          ],
        },
        { id: 'doctor', label: 'Doctor', type: 'link', target: 'doctor', required: true },
        { id: 'age', label: 'Age', type: 'number', min: 1, max: 90 },
      ],
      workflow: {
        label: 'Status',
        initial: 'Waiting',
        states: ['Waiting', 'Seen'],
        transitions: [{ id: 'see', label: 'See', from: ['Waiting'], to: 'Seen' }],
      },
    },
    {
      id: 'doctor',
      table: 'doctors',
      singular: 'doctor',
      plural: 'doctors',
      title: 'name',
      records: 3,
      fields: [
        {
          id: 'name',
          label: 'Name',
          type: 'text',
          required: true,
          values: [['Dr Fox', 'Dr Wolf', 'Dr Hare', 'Dr Lynx']],
        },
      ],
    },
  ],
};

type Draft = { entities: Record<string, unknown>[] };

/** The spec with something spoilt. */
function spoilt(spoil: (draft: Draft) => void): Json {
  const draft = structuredClone(clinic) as unknown as Draft;
  spoil(draft);
  return draft as unknown as Json;
}

function entity(draft: Draft, index: number) {
  return draft.entities[index] as { fields: object[]; workflow: Record<string, unknown>; records: number };
}

describe('a spec of somebody else', () => {
  it('[SYN-6] makes an app with plain pages and words for what it leaves out', () => {
    const world = createWorld(createSynthApp(readSpec(clinic as unknown as Json, 'clinic.json')));
    expect(world.templates.map(({ id }) => id)).toEqual(expect.arrayContaining(['move-patients', 'add-patients']));
    const session = world.open(world.task('move-patients', 1));
    expect(session.observe().text).toContain('link "Patients"');
  });

  const loop = { id: 'chief', label: 'Chief', type: 'link', target: 'patient', required: true };
  it.each<[string, (draft: Draft) => void, RegExp]>([
    [
      'a circle of required links',
      draft => entity(draft, 1).fields.push(loop),
      /required links go in a circle, patient → doctor → patient/,
    ],
    [
      'an unknown entity',
      draft => entity(draft, 0).fields.push({ ...loop, target: 'nurse' }),
      /entities\.patient\.fields\.chief: there is no entity "nurse"; the entities are patient, doctor/,
    ],
    [
      'an unreachable state',
      draft => (entity(draft, 0).workflow['states'] = ['Waiting', 'Seen', 'Lost']),
      /entities\.patient\.workflow\.states: "Lost" cannot be reached from "Waiting"/,
    ],
    [
      'an empty workflow',
      draft => Object.assign(entity(draft, 0).workflow, { states: [], transitions: [] }),
      /entities\.patient\.workflow: it has no states/,
    ],
    [
      'a workflow without transitions',
      draft => (entity(draft, 0).workflow['transitions'] = []),
      /entities\.patient\.workflow: it has no transitions/,
    ],
    [
      'too few names',
      draft => (entity(draft, 1).records = 9),
      /entities\.doctor\.records: 9 records, but "name" has only 4 different values/,
    ],
    [
      'a reserved name',
      draft => entity(draft, 1).fields.push({ id: 'state', label: 'State', type: 'flag' }),
      /entities\.doctor\.fields: "state" is reserved/,
    ],
    [
      'a need without its field',
      draft =>
        (entity(draft, 0).workflow['transitions'] = [
          { id: 'see', label: 'See', from: ['Waiting'], to: 'Seen', needs: [{ field: 'fee', is: 'set' }] },
        ]),
      /transitions\.see: "patient" has no field "fee"/,
    ],
    [
      'two fields with one label',
      draft => entity(draft, 0).fields.push({ id: 'years', label: 'age', type: 'number', min: 1, max: 9 }),
      /entities\.patient\.fields: two are called "age"/,
    ],
    [
      'a field with the label of the state',
      draft => entity(draft, 0).fields.push({ id: 'status', label: 'Status', type: 'flag' }),
      /entities\.patient\.fields: two are called "Status"/,
    ],
    [
      'two options with one label',
      draft => entity(draft, 0).fields.push({ id: 'ward', label: 'Ward', type: 'choice', options: ['A', 'B', 'a '] }),
      /entities\.patient\.fields\.ward\.options: "a" stands twice/,
    ],
    [
      'two entities with one name',
      draft => Object.assign(draft.entities[1] as object, { plural: 'Patients' }),
      /entities: two are called "Patients"/,
    ],
    ['a wrong shape', draft => (draft.entities = []), /entities: /],
  ])('[SYN-5] is refused for %s, and the place is named', (_, spoil, reason) => {
    expect(() => readSpec(spoilt(spoil), 'clinic.json')).toThrow(reason);
    expect(() => readSpec(spoilt(spoil), 'clinic.json')).toThrow(/^The spec clinic\.json cannot be used: /);
  });
});
