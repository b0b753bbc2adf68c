import { isSpread } from '../../../exports/convert/source-records.ts';
import type { Reject } from '../../../imports/model.ts';
import { convertSourceOf, type Input } from '../../input/input.ts';
import { withoutSecrets } from '../../output/mask.ts';
import type { RejectLog } from '../../output/reject-log.ts';
import type { Surroundings } from '../../surroundings.ts';
import { MendFile } from './mend-file.ts';
import { RejectedRecords } from './rejected-records.ts';

export interface Listing {
  readonly input: Input;
  readonly log: RejectLog;
  /** The folder for records that can be corrected; undefined: none. */
  readonly folder: string | undefined;
  readonly surroundings: Surroundings;
}

/** Adds to each reject its record, without secrets, and the whole record to a file for corrections. */
export class RejectList {
  readonly mend: MendFile | undefined;
  readonly #log: RejectLog;
  readonly #surroundings: Surroundings;
  #records: RejectedRecords | undefined;

  private constructor({ input, log, surroundings }: Listing, mend: MendFile | undefined) {
    this.mend = mend;
    this.#log = log;
    this.#surroundings = surroundings;
    this.#records = new RejectedRecords(input, surroundings.interrupt);
  }

  static async open(listing: Listing): Promise<RejectList> {
    const { input, folder, surroundings } = listing;
    if (folder === undefined) return new RejectList(listing, undefined);
    // If tables share a file, a user's row alone would be without its password.
    const isWhole = input.isPlain || !(await isSpread(convertSourceOf(input), surroundings.interrupt));
    return new RejectList(listing, isWhole ? new MendFile(folder, input.provider) : undefined);
  }

  /** In the order of their lines. @throws CommandError when the disk is full or fails */
  async add(reject: Reject): Promise<void> {
    const record = await this.#find(reject.line);
    const shown = withoutSecrets(record?.value);
    await this.#log.add([shown === undefined ? reject : { ...reject, record: shown }]);
    // A user who was removed here is not a fault of the file.
    if (record && reject.code !== 'REMOVED_HERE') await this.mend?.add(record.text);
  }

  async close(): Promise<void> {
    await this.#records?.close();
    await this.mend?.close();
  }

  /** If the file cannot be read any more, rejects are listed without their records. */
  async #find(line: number): ReturnType<RejectedRecords['find']> {
    try {
      return await this.#records?.find(line);
    } catch {
      this.#surroundings.interrupt.throwIfAborted();
      this.#surroundings.stderr.write(
        'The file cannot be read again: rejects are listed without their records\n',
      );
      this.#records = undefined;
      return undefined;
    }
  }
}
