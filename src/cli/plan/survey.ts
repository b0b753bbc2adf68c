import { randomBytes } from 'node:crypto';
import type { BulkRecord } from '../../imports/record/parse-record.ts';
import { defaultSecondFactor } from '../../imports/model.ts';
import type { Config } from '../../config/load.ts';
import { hashKindNamed } from '../../hashes/registry.ts';
import { parseHash } from '../../hashes/recognise.ts';
import { widestLimits } from '../../config/tenant-settings.ts';
import { Inspection, type InspectionRules } from '../inspect/inspection.ts';
import { foreseenOutcome } from '../inspect/foreseen-outcome.ts';
import { SeenKeys } from '../../exports/emails/seen-keys.ts';
import { checkLines, type LineChecks } from '../inspect/check-lines.ts';
import type { Outcome } from '../output/outcome.ts';
import type { LoggedReject, RejectLog } from '../output/reject-log.ts';
import type { UploadSource } from '../input/source.ts';
import type { Surroundings } from '../surroundings.ts';
import { type HashGroup, HashGroups } from './hash-groups.ts';

/** The facts of a file that a plan needs. */
export interface Survey {
  /** Lines of the upload, which an import's progress counts. */
  readonly lines: number;
  readonly records: number;
  /** Records that can be imported once the settings are those of the plan. */
  readonly users: number;
  readonly rejected: number;
  readonly outcome: Outcome;
  /** In the native form, all records together. */
  readonly bytes: number;
  /** The most frequent first. */
  readonly groups: readonly HashGroup[];
  readonly plainTextUsers: number;
  /** With the scrypt variant's hash, or a peppered one, but without the key or the pepper. */
  readonly lacksSignerKey: boolean;
  readonly lacksPepper: boolean;
  readonly tenants: readonly string[];
  /** As configured, or else stand-ins: only their length matters for a measurement. */
  readonly secrets: { readonly signerKey: Uint8Array | undefined; readonly pepper: Uint8Array };
}

/**
 * One pass over the file. Hashes over a ceiling or without their secret count as if the settings were already right. Memory: that
 * of Inspection, and some hashes of each class.
 * @param log has the rejects of conversion, and gets those of the checks
 */
export async function surveyFile(
  source: UploadSource,
  config: Pick<Config, 'defaults' | 'hashPolicy'>,
  log: RejectLog,
  surroundings: Surroundings,
): Promise<Survey> {
  const surveyor = new Surveyor(config, surroundings.now());
  const { lines, bytes } = await checkLines(source, surveyor, log, surroundings);
  return { lines, bytes, ...surveyor.result(log) };
}

class Surveyor implements LineChecks {
  readonly #inspection: Inspection;
  readonly #groups: HashGroups;
  readonly #configured: Config['defaults'];
  /** Its signer key is a stand-in from the first hash that lacks one on. */
  readonly #rules: { -readonly [Key in keyof InspectionRules]: InspectionRules[Key] };

  constructor({ defaults, hashPolicy }: Pick<Config, 'defaults' | 'hashPolicy'>, now: number) {
    this.#groups = new HashGroups({ limits: defaults.hashLimits, policy: hashPolicy });
    this.#configured = defaults;
    this.#rules = {
      limits: widestLimits,
      signerKey: defaults.signerKey,
      pepper: defaults.pepper ?? Buffer.from('stand-in'),
      allowPlainText: true,
      onConflict: 'update',
      dryRun: true,
      secondFactor: defaultSecondFactor,
      now,
    };
    this.#inspection = new Inspection(this.#rules, new SeenKeys(), (record) => {
      this.#count(record);
    });
  }

  get findings(): Inspection['findings'] {
    return this.#inspection.findings;
  }

  add(line: Uint8Array, number: number): LoggedReject | undefined {
    const reject = this.#inspection.add(line, number);
    if (reject?.code !== 'SIGNER_KEY_MISSING') return reject;
    this.#rules.signerKey = standInFor(line);
    this.findings.records -= 1; // it is the same record once more
    return this.#inspection.add(line, number);
  }

  #count({ methods }: BulkRecord): void {
    for (const { passwordHash } of methods) if (passwordHash !== undefined) this.#groups.add(passwordHash);
  }

  result(log: RejectLog): Omit<Survey, 'lines' | 'bytes'> {
    const { findings, tenants } = this.#inspection;
    const { signerKey, pepper } = this.#rules;
    return {
      records: findings.records,
      users: findings.valid,
      rejected: log.count,
      outcome: foreseenOutcome(findings, log, 'record'),
      groups: this.#groups.all,
      plainTextUsers: findings.byKind['plain text'] ?? 0,
      lacksSignerKey: this.#configured.signerKey === undefined && signerKey !== undefined,
      lacksPepper: this.#configured.pepper === undefined && (findings.byKind.bcrypt_peppered ?? 0) > 0,
      tenants,
      secrets: { signerKey, pepper: pepper ?? Buffer.from('stand-in') },
    };
  }
}

/** The scrypt variant encrypts its signer key, so a hash has the length of the key that it was made with. */
function standInFor(line: Uint8Array): Buffer | undefined {
  const { loginMethods } = JSON.parse(
    Buffer.from(line)
      .toString('utf8')
      .replace(/^\ufeff/, ''),
  ) as {
    readonly loginMethods: readonly { readonly passwordHash?: string; readonly hashingAlgorithm?: string }[];
  };
  for (const { passwordHash = '', hashingAlgorithm = '' } of loginMethods) {
    const result = parseHash(passwordHash.trim(), hashKindNamed(hashingAlgorithm.trim()), widestLimits);
    if (!result.ok || result.parsed.kind !== 'provider_scrypt') continue;
    const { signerKey, hashBytes } = result.parsed;
    return signerKey === undefined ? randomBytes(hashBytes) : Buffer.from(signerKey, 'base64');
  }
  return undefined;
}
