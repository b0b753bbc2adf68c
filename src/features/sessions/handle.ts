import { randomUUID } from 'node:crypto';

/** A session as its callers name it: a UUID, and behind it the tenant unless that is the public one. */
export interface SessionHandle {
  readonly id: string;
  readonly tenantId: string;
}

const form = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:_(.+))?$/;

export function newHandle(tenantId: string): SessionHandle {
  return { id: randomUUID(), tenantId };
}

export function handleText({ id, tenantId }: SessionHandle): string {
  return tenantId === 'public' ? id : `${id}_${tenantId}`;
}

/** @returns undefined for text that no session can have as its handle */
export function parseHandle(text: string): SessionHandle | undefined {
  const [, id, tenantId = 'public'] = form.exec(text) ?? [];
  return id === undefined ? undefined : { id, tenantId };
}
