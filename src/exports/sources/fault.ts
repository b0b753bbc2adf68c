/** A fault of the database, its tables or its address. One line with the cure, and no secret. */
export class SourceFault extends Error {
  override readonly name = 'SourceFault';
}
