/** How much a demo does. Its time grows with the tasks that the planner solves and the students that are trained. */
export interface DemoSize {
  /** Forged tasks that the students of each point are taught beside the hand-written ones. */
  readonly points: readonly number[];
  /** Instances of each hand-written template that all students are taught. */
  readonly handWritten: number;
  /** Tasks taught in each made-up app. */
  readonly tasksPerApp: number;
  /** Students of each point and arm, with other training seeds. */
  readonly students: number;
  /** Tasks of each template of an app, when students are evaluated: of training templates, and of held-out ones. */
  readonly evaluated: { readonly newInstances: number; readonly heldOut: number };
  /** Made-up apps that nobody is taught, and how many of their templates are evaluated. */
  readonly unseen: { readonly apps: number; readonly templates: number };
  /** The comparison of teachers. */
  readonly teachers: {
    /** Made-up apps to teach in, and such that nobody is taught. */
    readonly apps: number;
    readonly unseen: number;
    /** Tasks that the planner demonstrates before: the students of all arms start from these. */
    readonly demonstrated: number;
    readonly rounds: number;
    /** Of each template, in each round. */
    readonly instances: readonly number[];
  };
}

/** About five minutes on two cores. */
export const fullDemo: DemoSize = {
  points: [0, 10, 30, 100, 300],
  handWritten: 2,
  tasksPerApp: 6,
  students: 2,
  evaluated: { newInstances: 2, heldOut: 3 },
  unseen: { apps: 8, templates: 6 },
  teachers: { apps: 3, unseen: 3, demonstrated: 30, rounds: 3, instances: [1] },
};

/** Less than a minute: enough to see that everything runs, too little to trust the figures. */
export const quickDemo: DemoSize = {
  points: [0, 12],
  handWritten: 1,
  tasksPerApp: 3,
  students: 1,
  evaluated: { newInstances: 1, heldOut: 2 },
  unseen: { apps: 2, templates: 4 },
  teachers: { apps: 1, unseen: 1, demonstrated: 4, rounds: 1, instances: [1] },
};
