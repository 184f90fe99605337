import { strict as assert } from 'node:assert';
import { createManualClock, createPlanner, createTrail, createWorld, openBuiltIn } from 'espalier';
import { app } from './library/library.ts';

// An environment is made from an app; a task from a template and a seed.
const world = createWorld(app);
const task = world.task('lend-to-reader', 3);
console.log(task.instruction);

// Forks share the state until one of them acts; nothing is copied.
const session = world.open(task);
const other = session.fork();
other.step({ kind: 'click', ref: 'e3' });
assert.notEqual(other.digest(), session.digest());

// A trail records every step, and goes back to any of them with proof.
const trail = await createTrail(world, task);
const student = { role: 'student', name: 'example' } as const;
const opened = await trail.step({ kind: 'click', ref: 'e7' }, student);
await trail.step({ kind: 'click', ref: 'e1' }, student);
const { method, digest } = await trail.rollback(opened.id);
assert.equal(digest, opened.after);
assert.equal(trail.tree.record().nodes.length, 2);
console.log(`back at step 1 by ${method}; what was rolled back is still in the tree`);

// The planner solves the rest from here; the verifier judges the state, not the words.
const plan = createPlanner({ clock: createManualClock() }).plan(trail.session());
assert.equal(plan.outcome, 'solved');
if (plan.outcome === 'solved') for (const action of plan.actions) await trail.step(action, student);
const verdict = trail.session().verify();
assert.deepEqual(verdict.evidence.sideEffects, []);
assert.equal(verdict.pass, true);
console.log(verdict.checks.map(({ name, pass }) => `${pass ? '✓' : '✗'} ${name}`).join('\n'));

// The built-in worlds open by name.
const mail = await openBuiltIn('mail');
console.log(`${mail.title} has ${mail.templates.length} templates and ${mail.tools.length} tools`);
assert.ok(mail.templates.length >= 16);
