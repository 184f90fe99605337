import { resolve } from 'node:path';
import type { ModuleShape } from '../../core/naming/registry.ts';
import type { Estimate, Estimator } from '../../dataset/credit/contract.ts';
import { estimators } from '../../dataset/credit/estimators.ts';
import { isModulePath } from '../../modules/load-module.ts';
import { loadPlugin } from './load-plugin.ts';

/** An estimator as a user's module exports it. */
interface EstimatorModule extends Omit<Estimator, 'about' | 'options' | 'create'> {
  readonly about?: string;
  readonly estimate: Estimate;
}

/** The estimator that is meant, by name or by the path of a module that exports `estimator`. */
export async function chooseEstimator(name: string): Promise<Estimator> {
  if (!isModulePath(name)) return estimators.need(name);
  const { create } = await loadPlugin<EstimatorModule>(resolve(name), estimators.module as ModuleShape);
  const { estimate, about = '', ...own } = create();
  return { ...own, about, create: () => estimate };
}
