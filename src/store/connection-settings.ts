/** A socket's folder stands in the query, as libpq has it (`?host=/run/postgresql`): the driver takes it as an option. */
export function withoutSocket(uri: string): {
  uri: string;
  host?: string | undefined;
  port?: number | undefined;
} {
  if (!URL.canParse(uri)) return { uri };
  const url = new URL(uri);
  const host = url.searchParams.get('host') ?? undefined;
  const port = url.searchParams.get('port') ?? undefined;
  if (host === undefined) return { uri };
  url.searchParams.delete('host');
  url.searchParams.delete('port');
  return { uri: url.href, host, port: port === undefined ? undefined : Number(port) };
}

/** The driver takes a key that is there for one that is set. */
export function withoutUndefined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const entries = Object.entries(value).filter(([, v]) => v !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], undefined> };
}
