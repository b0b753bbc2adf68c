import type { Feature, FeatureParts, OpenFeature } from '../features/feature.ts';
import { features } from '../features/index.ts';
import type { OperationsContext } from '../operations/context.ts';
import type { PasswordHasher } from '../operations/ports/ports.ts';

export interface OpenedFeatures {
  readonly opened: readonly OpenFeature[];
  readonly context: OperationsContext;
}

interface FeaturesParts extends Omit<FeatureParts, 'context' | 'offered'> {
  /** See Store. */
  readonly learnHomes: () => Promise<void>;
}

/**
 * Opens every feature, in the order of their list.
 * @param context without what features add
 */
export function openFeatures(
  context: Omit<OperationsContext, 'beforeReseal'>,
  { learnHomes, ...parts }: FeaturesParts,
  list: readonly Feature[] = features,
): OpenedFeatures {
  const opened = new Map<Feature, OpenFeature>();
  const base: OperationsContext = {
    ...context,
    hasher: noticing(context.hasher, opened),
    beforeReseal: async () => {
      await learnHomes();
      await Promise.all([...opened.values()].map((feature) => feature.beforeReseal()));
    },
  };
  const offered = offersOf(opened);
  const wanted = list.filter((feature) => feature.isOn(parts.config));
  for (const feature of wanted) opened.set(feature, feature.open({ ...parts, context: base, offered }));
  const all = [...opened.values()];
  const extended = all.reduce<OperationsContext>(
    (before, { extension }) => ({ ...before, ...extension }),
    base,
  );
  return { opened: all, context: extended };
}

/** Hashes of passwords that requests set; an upgrade is on behalf of no app, and no new password. */
function noticing(hasher: PasswordHasher, opened: ReadonlyMap<Feature, OpenFeature>): PasswordHasher {
  return {
    requireRoom: (behalf) => {
      hasher.requireRoom(behalf);
    },
    verify: (...given) => hasher.verify(...given),
    verifyDecoy: (...given) => hasher.verifyDecoy(...given),
    hashLike: (...given) => hasher.hashLike(...given),
    async hash(password, behalf = {}) {
      const hash = hasher.hash(password, behalf);
      const { party: appNo } = behalf;
      if (appNo === undefined) return hash;
      const made = { appNo, password, hash, behalf };
      const noted = [...opened.values()].map(({ extension }) => extension.onNewHash?.(made));
      await Promise.all([hash, ...noted]);
      return hash;
    },
  };
}

function offersOf(opened: ReadonlyMap<Feature, OpenFeature>): FeatureParts['offered'] {
  return <Offer>(by: Feature<Offer>) => {
    const feature = opened.get(by);
    if (feature === undefined)
      throw new Error(`features/index.ts must list ${by.name} before the features that use it`);
    // The map holds what this definition has opened.
    return feature.offer as Offer;
  };
}
