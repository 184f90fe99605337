export { z } from 'zod';
export {
  certifyRun,
  collect,
  evaluate,
  exportRun,
  judge,
  loop,
  openEpisode,
  report,
  train,
} from './library/functions.ts';
export type { CertifyOptions } from './library/certify.ts';
export type { CollectOptions } from './library/collect.ts';
export type { EvaluateOptions, EvaluationChoice } from './library/evaluate.ts';
export type { ExportOptions } from './library/export.ts';
export type { JudgeRunSettings } from './library/judge.ts';
export type { LoopOptions } from './library/loop.ts';
export type { OpenEpisodeOptions } from './library/open-episode.ts';
export type { ReportOptions } from './library/report.ts';
export type { TrainedStudent, TrainOptions } from './library/train.ts';
export type { EnvironmentChoice, StrategyChoice, StudentChoice, TeacherChoice } from './library/parts.ts';
export type { Collected } from './runs/collect.ts';
export type { EvaluatedStudents } from './runs/evaluate-students.ts';
export type { Host } from './runs/host/host.ts';
export type { LoopRound } from './runs/loop.ts';
export type { ProgressCounter } from './runs/plan/progress-counter.ts';
export { appKit, defineApp, type App, type AppDefinition, type AppKit } from './worlds/app/app.ts';
export type { Command, CommandBody, QueryBody } from './worlds/app/command.ts';
export type { Check, TemplateBody } from './worlds/app/template.ts';
export { environments, openBuiltIn, type EnvironmentEntry } from './catalog.ts';
export { createAppEnvironment, type AppBrowserOptions } from './envs/web/apps/app-environment.ts';
export { createBrowserPool, type BrowserPool, type PoolOptions, type Viewport } from './envs/web/browser/pool.ts';
export { createMiniwobEnvironment, type MiniwobEnvironment } from './envs/web/sites/miniwob/environment.ts';
export type { BrowserOptions } from './envs/web/sessions/site-environment.ts';
export { createMcpEnvironment, type McpEnvironmentOptions } from './envs/mcp/environment.ts';
export type { ToolTasks } from './envs/mcp/tasks.ts';
export { compose, parseExpression } from './envs/problems/compose/parse.ts';
export { parallel, sequential } from './envs/problems/compose/operators.ts';
export { createProblemEnvironment, type ProblemEnvironmentOptions } from './envs/problems/environment/environment.ts';
export {
  byLevel,
  defineProblem,
  type Level as ProblemLevel,
  type Problem,
  type ProblemDefinition,
} from './envs/problems/problem.ts';
export { problemTypes } from './envs/problems/types/types.ts';
export { distinct, type SetOf } from './envs/problems/types/collections.ts';
export { ratio, type Rational } from './envs/problems/types/fraction.ts';
export { createWebAppEnvironment, type WebAppOptions } from './envs/web/sites/app/environment.ts';
export { createUrlEnvironment } from './envs/web/sites/url/environment.ts';
export type { StorageState } from './envs/web/sites/url/login.ts';
export type { AppTasks, EndedPage, OpenPage, UrlTask, UrlTasks } from './envs/web/sites/url/tasks.ts';
export { createWaiEnvironment, type WaiEnvironment, type WaiOptions } from './envs/web/sites/wai/environment.ts';
export { createWorld, type WorldOptions } from './worlds/world.ts';
export type { Baseline, OwnLadder, WorldLadder } from './worlds/admission.ts';
export type { Family, FamilyHost, ServedFamily, ServedHost, Source as EnvironmentSource } from './worlds/family.ts';
export { forgeApp, type ForgeOptions } from './forge/forge-app.ts';
export type { ForgeKind } from './forge/tasks/forge-kinds.ts';
export { added, find, need, nextId, paginate, plain, remove, type Page } from './worlds/app/table.ts';
export {
  alert,
  banner,
  button,
  cell,
  checkbox,
  combobox,
  dialog,
  form,
  heading,
  link,
  list,
  listItem,
  menu,
  menuItem,
  navigation,
  page,
  radio,
  region,
  row,
  searchBox,
  status,
  switchButton,
  tab,
  table,
  text,
  textbox,
  toolbar,
  type Child,
} from './worlds/app/elements.ts';
export { actionSchema, describeAction, type Action } from './core/action.ts';
export { refuse, DivergenceError, EspalierError } from './core/errors.ts';
export { createRandom, type Random } from './core/random.ts';
export type {
  Candidate,
  Environment,
  Plan,
  Planner,
  Session,
  Snapshot,
  StateEnvironment,
  StateSession,
  TemplateInfo,
  ToolInfo,
  Verifier,
} from './core/contracts.ts';
export { sealTask, type Observation, type StepOutcome, type Task, type Verdict } from './core/records.ts';
export type { UiNode, UiRole, UiState } from './core/ui.ts';
export { createDigest, type Digest } from './core/digest.ts';
export { diff, invert, patch, type Change } from './core/diff.ts';
export { createManualClock, type Clock } from './core/clock.ts';
export { createTree, readTree, type Actor, type Tree, type TreeNode } from './core/tree.ts';
export { createTrail } from './worlds/trail.ts';
export { certify, type Finding, type RecordedPath } from './episode/certify/certify.ts';
export type { Certificate, Certification } from './core/episode/certificate.ts';
export type { Rollback, Trail } from './core/episode/trail.ts';
export { withNoise, type NoiseOptions } from './worlds/wrappers/noise.ts';
export { withStepLimit } from './worlds/wrappers/step-limit.ts';
export { varyApp, type VariationOptions } from './worlds/wrappers/variation.ts';
export { createPlanner, type PlannerOptions } from './agents/planner/planner.ts';
export {
  createPlannerPolicy,
  createPlannerTeacher,
  type PlannerTeacherOptions,
} from './agents/planner/planner-teacher.ts';
export { createRandomPolicy } from './agents/random.ts';
export { createReplay } from './agents/replay.ts';
export { createScripted } from './agents/scripted.ts';
export { createLlmPolicy } from './agents/llm/llm-policy.ts';
export { createLlmTeacher } from './agents/llm/llm-teacher.ts';
export type { LlmOptions } from './agents/llm/ask.ts';
export { readPrompts, type Prompts } from './models/prompt/prompts.ts';
export { createModel, type ModelOptions } from './models/endpoints/client.ts';
export { keyOf, readEndpoint, type Endpoint } from './models/endpoints/endpoint.ts';
export { createLedger, type Ledger, type LedgerOptions } from './models/endpoints/ledger.ts';
export {
  createEndpointConnection,
  type EndpointConnection,
  type EndpointConnectionOptions,
} from './models/endpoints/connection.ts';
export {
  createJudge,
  finishedEpisode,
  type FinishedEpisode,
  type Judge,
  type JudgeOptions,
  type Opinion,
} from './agents/judge.ts';
export { createHumanPolicy, createHumanTeacher, type HumanOptions } from './agents/human.ts';
export {
  untrainedWeights,
  createStudent,
  readStudent,
  trainStudent,
  writeStudent,
  type Weights,
  type TrainingExample,
  type StudentOptions,
  type Training,
} from './agents/learned/student.ts';
export type {
  BranchStates,
  BranchStep,
  Decision,
  OrdinaryPolicy,
  OrdinaryTeacher,
  CorrectionRequest,
  Policy,
  PrivilegedPolicy,
  PrivilegedTeacher,
  Review,
  Segment,
  Teacher,
} from './core/episode/agents.ts';
export type { EpisodeEnd, EpisodeEvent, EpisodeHead, Outcome } from './core/episode/events.ts';
export type { EpisodeLog, EpisodeSource, EpisodeSummary, Journal, StoredEpisode } from './core/episode/journal.ts';
export { createCallReader } from './core/episode/call-log.ts';
export { segmentsOf, tokensOf } from './core/chat/segments.ts';
export { MalformedError, StreamError, type ClientDialect } from './models/dialects/dialect.ts';
export type { ChatMessage, ChatReply, ChatRequest, Tokens } from './core/chat/chat.ts';
export type { Completion, Model, ModelCall } from './core/chat/model.ts';
export { foldEpisode, type EpisodeRecord } from './core/episode/record.ts';
export { readScreen, type ScreenLine } from './core/episode/screen-text.ts';
export { screenActions, textsIn } from './core/episode/screen-actions.ts';
export { readPrompt, writePrompt, type Situation, type View } from './core/episode/view.ts';
export type { DrivenEpisode } from './episode/driven/contract.ts';
export type { Episodes } from './episode/driven/episodes.ts';
export { HttpError, readJson, sendJson } from './serve/http.ts';
export { type Protocol, type ProtocolContext } from './serve/protocol.ts';
export { runEpisodes, type Progress, type RunOptions, type RunTotals } from './episode/engine.ts';
export type { EpisodeParts } from './episode/attempt.ts';
export type { Episode } from './episode/verbs/episode.ts';
export { defaultLimits, type Limits } from './episode/cursor/budget.ts';
export type { Conclusion, Strategy } from './episode/strategies/strategy.ts';
export type { NewItem as MemoryContent } from './memory/item.ts';
export type { Memory } from './memory/memory.ts';
export type { MemoryMethod } from './memory/writers/writer.ts';
export { createBestOfN } from './episode/strategies/best-of-n.ts';
export { createLinear } from './episode/strategies/linear.ts';
export { createSpeculativeRollback } from './episode/strategies/speculative-rollback.ts';
export { openStore, type Store, type StoreOptions } from './store/store.ts';
export { createArchive, type Admission, type Archive, type ArchiveOptions } from './dataset/archive/archive.ts';
export {
  archiveGates,
  bounded,
  counted,
  defaultDescriptors,
  dominantAction,
  directness,
  type Descriptor,
  type Gate,
  type Quality,
} from './dataset/archive/archive-rules.ts';
export { candidatesOf, type Candidate as ArchiveCandidate } from './dataset/rows/candidate.ts';
export { exportDataset } from './dataset/export-dataset.ts';
export type { ColumnType, Row } from './dataset/rows/columns.ts';
export type { Annotation, Signal } from './analysis/signals/signal.ts';
export type { Mediation, PastStep, ProposedStep, StepContract } from './core/step-contracts/step-contract.ts';
export { createContractSignal, type Contract } from './analysis/signals/contracts/contract.ts';
export type { TableModule } from './dataset/own-table.ts';
export type { ExportedEpisode } from './dataset/tables/tables.ts';
export type { TokenFormatModule } from './runs/registry/tables.ts';
export { readManifest, type Manifest } from './dataset/rows/manifest.ts';
export { readExamples, type Example } from './dataset/read-rows.ts';
export { bootstrap, type NestedMean, type NestedValue } from './analysis/bootstrap.ts';
export { compare, type Comparison } from './analysis/compare.ts';
export { estimateText, type Estimate } from './analysis/estimate.ts';
export { evaluate as evaluateEpisodes, type Evaluation, type Level } from './analysis/evaluate.ts';
export { countFaults } from './analysis/faults.ts';
export { chooseGallery, drawEpisode } from './analysis/gallery.ts';
export { judgeReviewer } from './analysis/reviewer.ts';
export { readReportData, type ReportData } from './analysis/report/data.ts';
export { writeEpisodePage } from './analysis/report/write-episode.ts';
export { writeReport } from './analysis/report/write-report.ts';
export { passAtK, passHatK, wilson } from './analysis/stats.ts';
export { compareWithBaselines } from './analysis/table.ts';
export type { Timers } from './core/clock.ts';
