/** Why a receipt, or a proof of it, is not accepted: in words that never hold a line's content. */
export class ReceiptFault extends Error {
  override readonly name = 'ReceiptFault';
}
