import { randomBytes } from 'node:crypto';
import type { BulkRecord } from '../../imports/record/parse-record.ts';
import { defaultSecondFactor, type Reject } from '../../imports/model.ts';
import type { Config } from '../../config/load.ts';
import { hashKindNamed } from '../../hashes/registry.ts';
import { parseHash } from '../../hashes/recognise.ts';
import { widestLimits } from '../../config/tenant-settings.ts';
import { Inspection, type InspectionRules } from '../inspect/inspection.ts';
import { foreseenOutcome } from '../inspect/foreseen-outcome.ts';
import { SeenKeys } from '../../exports/emails/seen-keys.ts';
import { linesOf } from '../input/lines.ts';
import type { Outcome } from '../output/outcome.ts';
import { createProgress } from '../output/progress.ts';
import { RejectLog } from '../output/reject-log.ts';
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

interface SurveyConfig extends Pick<Config, 'defaults' | 'hashPolicy'> {
  /** Has the rejects of conversion, and gets those of the checks. */
  readonly log?: RejectLog;
}

/**
 * One pass over the file. Hashes over a ceiling or without their secret count as if the settings were already right. Memory: that
 * of Inspection, and some hashes of each class.
 */
export async function surveyFile(
  source: UploadSource,
  config: SurveyConfig,
  { stderr, now, interrupt }: Surroundings,
): Promise<Survey> {
  const surveyor = new Surveyor(config, now());
  const progress = createProgress({ output: stderr, totalBytes: source.fileBytes, now });
  try {
    for await (const line of linesOf(source.open(0, interrupt))) {
      await surveyor.add(line);
      if (surveyor.lines % 2000 !== 0) continue;
      const { records, rejected } = surveyor;
      progress.update({ bytes: source.fileBytesAt(surveyor.bytes), records, rejected });
    }
  } finally {
    progress.stop();
  }
  return surveyor.finish();
}

class Surveyor {
  lines = 0;
  bytes = 0;
  readonly #log: RejectLog;
  readonly #inspection: Inspection;
  readonly #groups: HashGroups;
  readonly #configured: Config['defaults'];
  /** Its signer key is a stand-in from the first hash that lacks one on. */
  readonly #rules: { -readonly [Key in keyof InspectionRules]: InspectionRules[Key] };

  constructor({ defaults, hashPolicy, log = new RejectLog(undefined) }: SurveyConfig, now: number) {
    this.#log = log;
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

  get records(): number {
    return this.#inspection.findings.records;
  }

  get rejected(): number {
    return this.#log.count;
  }

  async add(line: Uint8Array): Promise<void> {
    this.lines += 1;
    this.bytes += line.length + 1;
    const reject = this.#inspect(line);
    if (reject) await this.#log.add([reject]);
  }

  #inspect(line: Uint8Array): Reject | undefined {
    const reject = this.#inspection.add(line, this.lines);
    if (reject?.code !== 'SIGNER_KEY_MISSING') return reject;
    this.#rules.signerKey = standInFor(line);
    this.#inspection.findings.records -= 1; // it is the same record once more
    return this.#inspection.add(line, this.lines);
  }

  #count({ methods }: BulkRecord): void {
    for (const { passwordHash } of methods) if (passwordHash !== undefined) this.#groups.add(passwordHash);
  }

  finish(): Survey {
    const { findings, tenants } = this.#inspection;
    const { signerKey, pepper } = this.#rules;
    return {
      lines: this.lines,
      records: findings.records,
      users: findings.valid,
      rejected: this.rejected,
      outcome: foreseenOutcome(this.#inspection.findings, this.#log, 'record'),
      bytes: this.bytes,
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
