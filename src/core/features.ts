import type { FeatureParts, OpenFeature } from '../features/feature.ts';
import { features } from '../features/index.ts';
import type { OperationsContext } from '../operations/context.ts';

export interface OpenedFeatures {
  readonly opened: readonly OpenFeature[];
  /** With what features add for the heart. */
  readonly context: OperationsContext;
}

/** Opens every feature, in the order of their list. @param context without what features add */
export function openFeatures(
  context: Omit<OperationsContext, 'beforeReseal'>,
  parts: Omit<FeatureParts, 'context'>,
): OpenedFeatures {
  const opened: OpenFeature[] = [];
  const base: OperationsContext = {
    ...context,
    beforeReseal: () => Promise.all(opened.map((feature) => feature.beforeReseal())),
  };
  for (const feature of features) opened.push(feature.open({ ...parts, context: base }));
  const extended = opened.reduce<OperationsContext>(
    (before, { extension }) => ({ ...before, ...extension }),
    base,
  );
  return { opened, context: extended };
}
