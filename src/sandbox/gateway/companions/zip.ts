// A ZIP archive of a few small files, without compression.

import { crc32 } from 'node:zlib'

type Entry = readonly [name: string, bytes: Buffer]

const signatures = { file: 0x04034b50, directory: 0x02014b50, end: 0x06054b50 }
const version = 20
/** 1 January 1980, the first date of the format. */
const firstDay = 0x21

/** @param alignment the content of each file begins at a multiple of it; USDZ requires 64 */
export function zipOf(entries: readonly Entry[], alignment = 1): Buffer {
  const files: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, bytes] of entries) {
    const padding = (alignment - ((offset + 30 + name.length) % alignment)) % alignment
    const shared = sharedFields(name, bytes)
    const header = numbers([4, signatures.file], [2, version], ...shared, [2, padding])
    const file = Buffer.concat([header, Buffer.from(name), Buffer.alloc(padding), bytes])
    const about = numbers([4, signatures.directory], [2, version], [2, version], ...shared, [2, 0])
    directory.push(about, numbers([2, 0], [2, 0], [2, 0], [4, 0], [4, offset]), Buffer.from(name))
    files.push(file)
    offset += file.length
  }
  const listed = Buffer.concat(directory)
  const count = entries.length
  const sizes = numbers([2, 0], [2, 0], [2, count], [2, count], [4, listed.length], [4, offset], [2, 0])
  return Buffer.concat([...files, listed, numbers([4, signatures.end]), sizes])
}

type Field = readonly [bytes: 2 | 4, value: number]

/** The fields that both headers of a file contain: flags, method, time, date, checksum, size twice, length of the name. */
const sharedFields = (name: string, bytes: Buffer): Field[] => [
  ...([0, 0, 0, firstDay] as const).map((value): Field => [2, value]),
  ...([crc32(bytes), bytes.length, bytes.length] as const).map((value): Field => [4, value]),
  [2, name.length],
]

function numbers(...fields: readonly Field[]): Buffer {
  return Buffer.concat(
    fields.map(([size, value]) => {
      const bytes = Buffer.alloc(size)
      bytes.writeUIntLE(value, 0, size)
      return bytes
    }),
  )
}
