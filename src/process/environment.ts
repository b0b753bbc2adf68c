/**
 * Takes the process's environment, and from it what the driver of PostgreSQL would read: it knows fewer of these variables
 * than PostgreSQL's own clients, and gives some of them another meaning. Connections get them passed.
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
