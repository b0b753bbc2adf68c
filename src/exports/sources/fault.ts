/** A fault of the database, its tables or its address. One line with the cure, and no secret. */
export class SourceFault extends Error {
  override readonly name = 'SourceFault';
}

/** Another session uses what is needed; it ends soon. */
export class SourceBusy extends SourceFault {}

/** The log of the database cannot be read. The message ends with the cure. */
export class LogUnavailable extends SourceFault {}

/** A row that the database does not take: another one has its unique key, or rows of other tables refer to it. */
export class RowRefused extends Error {
  override readonly name = 'RowRefused';
  readonly isTaken: boolean;

  constructor(isTaken: boolean, options?: ErrorOptions) {
    super('the database of the old system refused a row', options);
    this.isTaken = isTaken;
  }
}
