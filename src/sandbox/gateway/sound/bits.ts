// Writes bits, the highest first, and computes the two checksums of FLAC.

export class BitWriter {
  #bytes = Buffer.alloc(1 << 14)
  #length = 0
  #held = 0
  #holds = 0

  /** Writes at most 24 bits at a time. */
  write(value: number, bits: number): void {
    this.#held = (this.#held << bits) | (value & ((1 << bits) - 1))
    this.#holds += bits
    while (this.#holds >= 8) {
      this.#holds -= 8
      this.#push((this.#held >>> this.#holds) & 0xff)
    }
    this.#held &= (1 << this.#holds) - 1
  }

  /** Writes this many zeros, then a one. */
  unary(zeros: number): void {
    let left = zeros
    for (; left >= 16; left -= 16) this.write(0, 16)
    this.write(1, left + 1)
  }

  /** Returns all bytes; the last one is filled with zeros. */
  finish(): Buffer {
    if (this.#holds > 0) this.write(0, 8 - this.#holds)
    return this.#bytes.subarray(0, this.#length)
  }

  #push(byte: number): void {
    if (this.#length === this.#bytes.length) this.#bytes = Buffer.concat([this.#bytes, this.#bytes])
    this.#bytes[this.#length] = byte
    this.#length += 1
  }
}

function table(polynomial: number, bits: number): Uint16Array {
  const [top, mask] = [1 << (bits - 1), (1 << bits) - 1]
  return Uint16Array.from({ length: 256 }, (_, byte) => {
    let rest = byte << (bits - 8)
    for (let bit = 0; bit < 8; bit += 1) rest = rest & top ? (rest << 1) ^ polynomial : rest << 1
    return rest & mask
  })
}

const table8 = table(0x07, 8)
const table16 = table(0x8005, 16)

export const crc8 = (bytes: Uint8Array): number => bytes.reduce((crc, byte) => table8[crc ^ byte] ?? 0, 0)

export const crc16 = (bytes: Uint8Array): number =>
  bytes.reduce((crc, byte) => ((crc << 8) & 0xffff) ^ (table16[(crc >> 8) ^ byte] ?? 0), 0)
