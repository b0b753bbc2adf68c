/**
 * Removes from the environment what PostgreSQL's driver would read: it knows fewer of these variables than PostgreSQL's own
 * clients and interprets some differently. Connections get them passed.
 * @param environment is changed
 */
export function takeEnvironment(
  environment: NodeJS.ProcessEnv,
): Readonly<Record<string, string | undefined>> {
  const taken = { ...environment };
  for (const name of Object.keys(environment))
    if (/^PG[A-Z]/.test(name)) Reflect.deleteProperty(environment, name);
  return taken;
}
