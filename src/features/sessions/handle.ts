import { randomUUID } from 'node:crypto';

/** A session's name in the interface: a UUID, followed by the tenant unless that is the public one. */
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

/** @returns undefined for text that is not a handle */
export function parseHandle(text: string): SessionHandle | undefined {
  const [, id, tenantId = 'public'] = form.exec(text) ?? [];
  return id === undefined ? undefined : { id, tenantId };
}
