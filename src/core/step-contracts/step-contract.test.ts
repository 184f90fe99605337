import { describe, expect, it } from 'vitest';
import { mailWorld } from '../../../test/fixtures/episodes.ts';
import { foldEpisode } from '../episode/record.ts';
import { recordRun } from '../../../bench/signals/recorded-run.ts';
import { annotate } from '../../analysis/signals/signal.ts';
import { stepContracts } from '../../analysis/signals/contracts/step-contracts.ts';
import { mail } from '../../envs/apps/mail/mail.ts';
import { createWorld } from '../../worlds/world.ts';
import { contracts as rulesForMail } from '../../../examples/contracts.ts';
import { createPuzzleEnvironment } from '../../envs/teams/puzzle-environment.ts';
import type { Action } from '../action.ts';
import type { Session, StateSession } from '../contracts.ts';
import type { JsonObject } from '../json.ts';
import { sealTask, type StepOutcome } from '../records.ts';
import { mediateSession, type Mediation, type StepContract } from './step-contract.ts';

const task = mailWorld.task('star-message', 3);

function firstClick(session: StateSession): Action {
  const found = session.candidates().find(({ action }) => action.kind === 'click');
  if (found === undefined) throw new Error('Nothing to click.');
  return found.action;
}

function clickOn(session: StateSession, wanted: string): Action {
  const found = session.candidates().find(({ action, name }) => action.kind === 'click' && name === wanted);
  if (found === undefined) throw new Error(`There is no "${wanted}" to click.`);
  return found.action;
}

const noClick = (mediation: Mediation): StepContract => ({
  id: 'no-click',
  about: 'Nothing is clicked.',
  mediation,
  holds: ({ action }) => action.kind !== 'click',
});

describe('contracts at run time', () => {
  it('[SIG-30] a step that breaks a blocking contract is refused, and the state stays', () => {
    const session = mediateSession(mailWorld.open(task), [noClick('block')]);
    const before = session.digest();
    const outcome = session.step(firstClick(session));
    expect(outcome).toMatchObject({ applied: false, problem: { code: 'contract' } });
    expect(outcome.problem?.message).toContain('Nothing is clicked.');
    expect(session.digest()).toBe(before);
    expect(session.step({ kind: 'finish' }).end).toBe('terminated');
  });

  it('[SIG-30] one that asks refuses once; the same step again is taken and recorded', () => {
    const session = mediateSession(mailWorld.open(task), [noClick('ask')]);
    const click = firstClick(session);
    const before = session.digest();
    expect(session.step(click).applied).toBe(false);
    const again = session.step(click);
    expect(again.applied).toBe(true);
    expect(again.incidents).toContainEqual({ kind: 'contract', detail: 'no-click' });
    expect(session.digest()).not.toBe(before);
    expect(session.step(firstClick(session)).applied).toBe(false);
  });

  it('[SIG-47] snapshots, forks and replays carry the history that contracts see', () => {
    const once: StepContract = {
      id: 'once',
      about: 'One click.',
      mediation: 'block',
      holds: ({ action, history }) => action.kind !== 'click' || !history.some(({ applied }) => applied),
    };
    const session = mediateSession(mailWorld.open(task), [once]);
    const start = session.snapshot();
    const click = firstClick(session);
    expect(session.step(click).applied).toBe(true);
    expect(session.fork().step(firstClick(session)).applied).toBe(false);
    session.restore(start);
    expect(session.step(click).applied).toBe(true);
  });

  it('[SIG-30] a contract sees the state before and after, without taking the step', () => {
    const seen: boolean[] = [];
    const looks: StepContract = {
      id: 'looks',
      about: 'Looks.',
      mediation: 'log',
      holds(step) {
        seen.push(JSON.stringify(step.before()) !== JSON.stringify(step.after()));
        return true;
      },
    };
    const session = mediateSession(mailWorld.open(task), [looks]);
    session.step(firstClick(session));
    expect(seen).toEqual([true]);
  });

  it('[SIG-30] [SIG-47] contracts of an app are held in its sessions, and the signal says what they did', () => {
    const world = createWorld({ ...mail, contracts: [noClick('log')] });
    const actions: Action[] = [firstClick(mailWorld.open(task)), { kind: 'finish' }];
    const said = (environment: typeof world) =>
      annotate(foldEpisode(recordRun(environment, { task, actions }, { key: 'one', student: 'made' })), [
        stepContracts,
      ]).map(({ node, label, value }) => [node, label, value]);
    expect(said(world)).toEqual([
      [1, 'broken', undefined],
      [null, 'kept', 0],
    ]);
    expect(said(createWorld({ ...mail, contracts: [noClick('block')] }))).toEqual([
      [1, 'stopped', undefined],
      [null, 'kept', 1],
    ]);
    // Without contracts nothing is claimed.
    expect(said(createWorld(mail))).toEqual([]);
  });

  it('[SIG-48] a contract that throws is an error that names it', () => {
    const broken: StepContract = {
      ...noClick('block'),
      id: 'bad',
      holds: () => {
        throw new Error('oops');
      },
    };
    const session = mediateSession(mailWorld.open(task), [broken]);
    expect(() => session.step({ kind: 'finish' })).toThrow('The contract "bad" threw: oops.');
  });

  it('[SIG-48] a promise for an answer is an error, not a pass', () => {
    const holds = (async () => false) as unknown as StepContract['holds'];
    const session = mediateSession(mailWorld.open(task), [{ ...noClick('block'), id: 'late', holds }]);
    expect(() => session.step({ kind: 'finish' })).toThrow('`holds` returned a promise');
  });

  it('[SIG-30] a repeated step is confirmed for every contract that asks', () => {
    const session = mediateSession(mailWorld.open(task), [noClick('ask'), { ...noClick('ask'), id: 'second' }]);
    const click = firstClick(session);
    expect([session.step(click).applied, session.step(click).applied]).toEqual([false, true]);
  });

  it('[SIG-30] a contract judges what a step changes, not how it was triggered', () => {
    const session = mediateSession(mailWorld.open(task), rulesForMail);
    const { messages } = session.state() as unknown as { messages: { id: string; folder: string }[] };
    const inFolder = (wanted: string): string => messages.find(({ folder }) => folder === wanted)?.id as string;
    const byCall = (tool: string, input: JsonObject): StepOutcome => session.step({ kind: 'call', tool, input });
    const refused = { applied: false, problem: { code: 'contract' } };
    expect(byCall('move_messages', { ids: [inFolder('inbox')], folder: 'trash' })).toMatchObject(refused);
    expect(byCall('delete_forever', { ids: [inFolder('trash')] })).toMatchObject(refused);
    expect(byCall('empty_folder', { folder: 'trash' })).toMatchObject(refused);
    // What deletes nothing is allowed, and so is a click that only asks whether to delete.
    expect(byCall('move_messages', { ids: [inFolder('inbox')], folder: 'archive' }).applied).toBe(true);
    const press = (name: string): StepOutcome => session.step(clickOn(session, name));
    expect(press('Trash').applied).toBe(true);
    expect(press('Empty Trash').applied).toBe(true);
    expect(press('Empty folder')).toMatchObject(refused);
  });

  it.each([
    ['Star "Delete me" by Robin.', false],
    ['Star "a" and delete "b".', true],
    ['Throw "b" into the trash.', true],
    ['Put the note of the cabin into the archive.', false],
  ])('[SIG-30] a task asks to delete by its own words, not by what it quotes: %s', (instruction, isAllowed) => {
    const asked = sealTask({ ...task, instruction });
    const session = mediateSession(mailWorld.open(asked), rulesForMail);
    const { messages } = session.state() as unknown as { messages: { id: string; folder: string }[] };
    const ids = messages.filter(({ folder }) => folder === 'inbox').map(({ id }) => id);
    const input = { ids: ids.slice(0, 1), folder: 'trash' };
    expect(session.step({ kind: 'call', tool: 'move_messages', input }).applied).toBe(isAllowed);
  });

  it('[SIG-30] what a step would change is empty for one that does nothing, and null without a state', () => {
    const seen: (number | null)[] = [];
    const looks: StepContract = {
      ...noClick('log'),
      holds(step) {
        seen.push(step.changes()?.length ?? null);
        return true;
      },
    };
    const { state: _state, ...page } = mailWorld.open(task);
    mediateSession(mailWorld.open(task), [looks]).step({ kind: 'finish' });
    void mediateSession(page as Session, [looks]).step({ kind: 'finish' });
    expect(seen).toEqual([0, null]);
  });

  it('[SIG-47] a step that was stopped says which agent of a team took it', () => {
    const world = createPuzzleEnvironment();
    const nobodyTalks: StepContract = {
      ...noClick('block'),
      holds: ({ action }) => action.kind !== 'call' || action.tool !== 'say',
    };
    const session = mediateSession(world.open(world.task('easy', 1)), [nobodyTalks]);
    const say: Action = { kind: 'call', tool: 'say', input: { text: 'Hello' } };
    expect(session.step(say)).toMatchObject({ applied: false, role: 'Ann' });
    expect(session.step({ kind: 'call', tool: 'pass', input: {} })).toMatchObject({ applied: true, role: 'Ann' });
    expect(session.fork().step(say)).toMatchObject({ applied: false, role: 'Bob' });
  });

  it('[SIG-30] what a session shows of its screen and for its verifier stays', () => {
    const appearance = () => ({ picture: 'p' });
    const inner = { ...mailWorld.open(task), appearance, judgedState: () => 'read' };
    const session = mediateSession(inner, [noClick('log')]);
    expect([session.appearance(), session.judgedState()]).toEqual([{ picture: 'p' }, 'read']);
  });
});
