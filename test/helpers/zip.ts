/** Minimal zips with stored files. */
import { crc32 } from 'node:zlib';

/** A zip of files with these names (ASCII), each with the same text. */
export function zipOf(names: readonly string[], text = '{"a":1}\n'): Buffer {
  const data = Buffer.from(text);
  const numbers = Buffer.alloc(12);
  numbers.writeUInt32LE(crc32(data), 0);
  numbers.writeUInt32LE(data.length, 4);
  numbers.writeUInt32LE(data.length, 8);
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const name of names) {
    const length = Buffer.from([name.length, 0, 0, 0]);
    const common = Buffer.concat([Buffer.from([20, 0, 0, 0, 0, 0, 0, 0, 0, 0]), numbers, length]);
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), common, Buffer.from(name), data]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(
      Buffer.concat([Buffer.from('PK\u0001\u0002'), Buffer.from([20, 0]), common, rest, Buffer.from(name)]),
    );
    files.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 0, 'latin1');
  end.writeUInt16LE(names.length, 8);
  end.writeUInt16LE(names.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...files, central, end]);
}
