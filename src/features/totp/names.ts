import type { ImportedDevice } from '../../operations/ports/ports.ts';

/** A free name for an unnamed device. @param first the number to begin with */
export function freeName(taken: { has(name: string): boolean }, first: number): string {
  let number = first;
  while (taken.has(nameOf(number))) number++;
  return nameOf(number);
}

function nameOf(number: number): string {
  return `TOTP Device ${number}`;
}

/**
 * Names for devices that are added to others. Of two with one name the second gets another.
 * @param others names of the user's other devices
 */
export function nameDevices<Device extends Pick<ImportedDevice, 'deviceName'>>(
  devices: readonly Device[],
  others: readonly string[],
): (Device & { readonly name: string })[] {
  const given = new Set<string>(others);
  const stated = devices.map(({ deviceName }) => {
    if (deviceName === undefined || given.has(deviceName)) return undefined;
    given.add(deviceName);
    return deviceName;
  });
  return devices.map((device, i) => {
    const name = stated[i] ?? freeName(given, 0);
    given.add(name);
    return { ...device, name };
  });
}
