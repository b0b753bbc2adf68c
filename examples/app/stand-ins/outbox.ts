/** Receives the app's mails, as there is no mail server: the last few, shown on a page. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly link?: string;
}

const maxMails = 20;

export class Outbox {
  readonly #mails: Mail[] = [];

  /** Drops the oldest when there are too many. */
  send(mail: Mail): void {
    this.#mails.unshift(mail);
    this.#mails.splice(maxMails);
  }

  /** The newest first. */
  get mails(): readonly Mail[] {
    return this.#mails;
  }
}
