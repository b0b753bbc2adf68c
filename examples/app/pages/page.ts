/** Elements by their id; each page's markup has those that its script needs. */
export function element<E extends HTMLElement>(id: string, type: abstract new () => E): E {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new Error(`the page has no ${type.name} with the id ${id}`);
  return found;
}

/** Shows the user a message, which screen readers announce too. */
export function say(text: string): void {
  element('message', HTMLElement).textContent = text;
}

/** Runs the action of a form or button, once at a time, and shows its error. */
export function onSubmit(id: string, act: (form: HTMLFormElement) => Promise<void>): void {
  const form = element(id, HTMLFormElement);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (form.ariaBusy === 'true') return;
    form.ariaBusy = 'true';
    say('');
    act(form)
      .catch(() => {
        say('The server did not answer as expected. Try again.');
      })
      .finally(() => {
        form.ariaBusy = 'false';
      });
  });
}

/** @returns the value of a field of the form */
export function field(form: HTMLFormElement, name: string): string {
  const value = new FormData(form).get(name);
  return typeof value === 'string' ? value : '';
}
