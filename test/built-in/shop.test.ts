import { describe, it } from 'vitest';
import { suiteOf } from './suite.ts';

describe('shop', async () => {
  const suite = await suiteOf('shop');
  it('[LAD-9] is large enough to be worth solving', suite.size);
  it('[ENV-1] [ENV-2] [ENV-3] [ENV-4] [ENV-5] obeys the laws', suite.laws);
  it('[ENV-7] survives whatever is sent, inside its schema', suite.fuzz);
  it('[LAD-9] [VER-1] [VER-2] [VER-3] [VER-4] has its templates admitted (long form: every template)', suite.admission);
  it('[PLAN-4] has its instances solved by the planner', suite.planning);
  it(
    '[VER-6] [VER-9] passes an infeasible task only when it was looked up, is reported, and nothing was touched',
    suite.infeasible,
  );
  it('[FORGE-15] declares what forged tasks leave to its held-out templates', suite.heldOut);
  it('[VER-11] has the same checks for every seed', suite.checkIds);
  it('[VER-9] [TASK-3] passes no ending that was guessed at once', suite.guessing);
});
